/// A one-pole high-pass at 10 Hz.
///
/// When its input ends, its output would decay slowly; instead it falls to zero in a straight line within a
/// millisecond.
struct DCBlocker: BitwiseCopyable {
    /// The input's mean, as tracked by the high-pass.
    private var mean: Float = 0
    private var slope: Float = 0
    /// Frames since the input last was anything but 0.
    private var silentFrames = 0
    private let share: Float
    private let fadeFrames: Int

    init(sampleRate: Double) {
        share = Float(1 - exponential(-2 * .pi * 10 / sampleRate))
        fadeFrames = max(1, frames(0.001, sampleRate: sampleRate) - DCBlocker.patience)
    }

    /// A waveform may be 0 for up to this many frames; after more, the input has ended.
    private static var patience: Int { 4 }

    var isResting: Bool { mean == 0 }

    /// Forgets everything.
    mutating func reset() { (mean, slope, silentFrames) = (0, 0, 0) }

    mutating func render(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count {
            let input = unsafe samples[index]
            silentFrames = input == 0 ? silentFrames + 1 : 0
            if silentFrames > DCBlocker.patience {
                unsafe samples[index] = input - mean
                fade()
            } else {
                let output = input - mean
                mean += share * output
                unsafe samples[index] = output
            }
        }
    }

    private mutating func fade() {
        let faded = silentFrames - DCBlocker.patience
        if faded == 1 { slope = mean / Float(fadeFrames) }
        mean = faded < fadeFrames ? mean - slope : 0
    }
}
