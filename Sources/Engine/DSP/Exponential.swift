/// e to the power of x, for -700 to 700; relative error below 1e-15.
///
/// Of arithmetic alone, so that a note that starts in the process callback can compute its envelope.
@_noLocks @_noAllocation
func exponential(_ x: Double) -> Double {
    let ln2 = 0.693_147_180_559_945_3
    let halves = x / ln2
    let exponent = Int64(halves < 0 ? halves - 0.5 : halves + 0.5)
    let rest = x - Double(exponent) * ln2
    var sum = 1.0
    var divisor = 14.0
    // Taylor's series by Horner's rule; |rest| is at most ln(2)/2.
    while divisor > 0 {
        sum = 1 + rest / divisor * sum
        divisor -= 1
    }
    return sum * Double(bitPattern: UInt64(bitPattern: 1023 + exponent) << 52)
}

/// The factor that, multiplied in once a frame, makes `ratio` of 1 in so many frames.
@_noLocks @_noAllocation
func factorPerFrame(logRatio: Double, frames: Double) -> Double {
    exponential(logRatio / frames)
}

/// The natural logarithm of 0.001: a fall by 60 dB.
var logSixtyDecibelsDown: Double {
    @_noLocks @_noAllocation get { -6.907_755_278_982_137 }
}

/// The frequency of a MIDI note number in Hz, equal temperament, A4 = 440 Hz.
@_noLocks @_noAllocation
func frequency(pitch: Int) -> Double {
    440 * exponential(Double(pitch - 69) * (0.693_147_180_559_945_3 / 12))
}

/// How much of 2^32 a phase advances per frame.
@_noLocks @_noAllocation
func phaseIncrement(_ frequency: Double, sampleRate: Double) -> UInt32 {
    UInt32(frequency / sampleRate * 4_294_967_296 + 0.5)
}

/// A time as a whole number of frames.
@_noLocks @_noAllocation
func frames(_ seconds: Double, sampleRate: Double) -> Int {
    Int(seconds * sampleRate + 0.5)
}

/// The natural logarithm of a positive number; relative error below 1e-14.
func logarithm(_ x: Double) -> Double {
    // Newton's method on e^y = x converges quadratically from any start that is near enough.
    var y = Double(x.exponent) * 0.693_147_180_559_945_3
    for _ in 0..<6 { y += x * exponential(-y) - 1 }
    return y
}
