/// How a pitched note's loudness runs.
struct NoteEnvelope: BitwiseCopyable {
    /// Frames per second.
    private let sampleRate: Double
    // The notes of a chord are mostly alike: the newest shape, and what it was made for.
    private var newest = EnvelopeShape()
    private var stepSeconds = 0.0
    private var sustainSteps = 0
    private var isAccent = false

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
    }

    /// The oscillator's peak at level 1.
    static var peak: Double {
        @_noLocks @_noAllocation get { 0.16 }
    }

    /// Seconds from the note's start to its release's end: 0.95 of its steps, at least 0.15 s.
    @_noLocks @_noAllocation
    static func length(stepSeconds: Double, sustainSteps: Int) -> Double {
        max(0.15, 0.95 * Double(1 + sustainSteps) * stepSeconds)
    }

    /// The level of a note: a sustained one starts as an accent, whatever its head.
    @_noLocks @_noAllocation
    static func level(isAccent: Bool, sustainSteps: Int) -> Double {
        isAccent || sustainSteps > 0 ? 1 : 0.5
    }

    /// The envelope of a note whose step lasts so long, with so many sustain steps after its own.
    @_noLocks @_noAllocation
    mutating func shape(stepSeconds: Double, sustainSteps: Int, isAccent: Bool) -> EnvelopeShape {
        let isNewest =
            stepSeconds == self.stepSeconds && sustainSteps == self.sustainSteps && isAccent == self.isAccent
        if !isNewest {
            (self.stepSeconds, self.sustainSteps, self.isAccent) = (stepSeconds, sustainSteps, isAccent)
            newest = makeShape(stepSeconds: stepSeconds, sustainSteps: sustainSteps, isAccent: isAccent)
        }
        return newest
    }

    /// Linear attack, level (a sustained note's falls to 0.8 of it), exponential release down to -60 dB of the level,
    /// 1 ms to zero.
    @_noLocks @_noAllocation
    private func makeShape(stepSeconds: Double, sustainSteps: Int, isAccent: Bool) -> EnvelopeShape {
        let seconds = NoteEnvelope.length(stepSeconds: stepSeconds, sustainSteps: sustainSteps)
        let level = NoteEnvelope.peak * NoteEnvelope.level(isAccent: isAccent, sustainSteps: sustainSteps)
        let isSustained = sustainSteps > 0
        let plateau = isSustained ? 0.8 * level : level

        let length = frames(seconds, sampleRate: sampleRate)
        let attack = frames(seconds > 0.2 ? 0.02 : 0.01, sampleRate: sampleRate)
        let fall = isSustained ? frames(0.06, sampleRate: sampleRate) : 0
        let release = frames(min(0.3 * seconds, 0.15), sampleRate: sampleRate)
        let tail = frames(0.001, sampleRate: sampleRate)
        let end = 0.001 * level

        var shape = EnvelopeShape()
        shape.append(EnvelopeSegment(from: 0, to: level, frames: attack))
        shape.append(EnvelopeSegment(from: level, to: plateau, frames: fall))
        shape.append(EnvelopeSegment(from: plateau, to: plateau, frames: length - attack - fall - release))
        let logRatio = isSustained ? logSixtyDecibelsDown + 0.223_143_551_314_209_76 : logSixtyDecibelsDown
        shape.append(EnvelopeSegment(from: plateau, logRatio: logRatio, frames: release))
        shape.append(EnvelopeSegment(from: end, to: 0, frames: tail))
        return shape
    }
}
