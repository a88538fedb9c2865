/// e to the power of x, for -700 to 700; relative error below 1e-14.
///
/// Uses arithmetic only, so that a note that starts in the process callback can compute its envelope.
func exponential(_ x: Double) -> Double {
    let halves = x * 1.442_695_040_888_963_4
    let exponent = Int64(halves < 0 ? halves - 0.5 : halves + 0.5)
    let r = x - Double(exponent) * 0.693_147_180_559_945_3
    // Taylor's series; |r| is at most ln(2)/2, so the first term left out is below 1e-17.
    let high = 1.0 / 40_320 + r * (1.0 / 362_880 + r * (1.0 / 3_628_800 + r * (1.0 / 39_916_800 + r / 479_001_600)))
    let middle = 1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040 + r * high)))
    let sum = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * middle)))
    return sum * Double(bitPattern: UInt64(bitPattern: 1023 + exponent) << 52)
}

/// The factor per frame that leads from 1 to the ratio in this many frames.
func factorPerFrame(logRatio: Double, frames: Double) -> Double {
    exponential(logRatio / frames)
}

/// The linear factor of a gain in dB.
func linearFactor(decibels: Double) -> Float {
    Float(exponential(decibels * (2.302_585_092_994_046 / 20)))
}

/// The natural logarithm of 0.001: a fall by 60 dB.
var logSixtyDecibelsDown: Double { -6.907_755_278_982_137 }

/// The frequency of a MIDI note number in Hz, equal temperament, A4 = 440 Hz.
func frequency(pitch: Int) -> Double {
    440 * exponential(Double(pitch - 69) * (0.693_147_180_559_945_3 / 12))
}

/// How far a phase advances per frame, where 2^32 is a full cycle.
func phaseIncrement(_ frequency: Double, sampleRate: Double) -> UInt32 {
    UInt32(frequency / sampleRate * 4_294_967_296 + 0.5)
}

/// A time as a whole number of frames.
func frames(_ seconds: Double, sampleRate: Double) -> Int {
    Int(seconds * sampleRate + 0.5)
}

/// The natural logarithm of a positive, normal number; relative error below 1e-14.
func logarithm(_ x: Double) -> Double {
    // Newton's method on e^y = x converges quadratically from any start that is near enough.
    let exponent = Int64(bitPattern: x.bitPattern >> 52) - 1023
    var y = Double(exponent) * 0.693_147_180_559_945_3
    for _ in 0..<6 { y += x * exponential(-y) - 1 }
    return y
}

/// The square root of a positive number.
func squareRoot(_ x: Double) -> Double { exponential(0.5 * logarithm(x)) }

// sin(pi*x) for 0 <= x <= 1 is symmetric about 1/2, hence a smooth function of the parabola y = 4x(1-x), and a short
// polynomial in y approximates it everywhere. The coefficients are minimax (Remez exchange). With y = 4x(1-|x|) the
// sign carries over, so that -1 <= x <= 1 needs no distinction. libm is not used: the process callback may not call it,
// and this way every machine computes the same bits.

/// sin(pi*x) in each lane, for x from -1 to 1; error below 3e-7.
@_transparent
func sine(halfTurns x: Lanes) -> Lanes {
    let y = 4 * x * (1 - x.magnitude)
    let m = y.magnitude
    let high = 0.017_381_184 + m * 0.000_856_701_7
    let middle = 0.196_365_55 + m * high
    return y * (0.785_396_5 + m * middle)
}

/// The sine of an angle in turns; error below 1e-12.
func sine(turns: Double) -> Double {
    let whole = Double(Int64(turns))
    var x = 2 * (turns - whole)
    if x > 1 { x -= 2 }
    if x < -1 { x += 2 }
    let y = 4 * x * (1 - abs(x))
    let m = abs(y)
    let high = 0.000_800_116_245_429_061 + m * (2.247_774_185_097_509_5e-05 + m * 4.489_523_352_339_889_4e-07)
    return y * (0.785_398_163_346_769_5 + m * (0.196_349_541_833_150_12 + m * (0.017_429_251_879_648_226 + m * high)))
}

func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
