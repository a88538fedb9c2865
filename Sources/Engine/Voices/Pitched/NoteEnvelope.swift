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

    /// Seconds from the note's start to its release's end: 0.95 of its steps, at least 0.15 s.
    @_noLocks @_noAllocation
    static func length(stepSeconds: Double, sustainSteps: Int) -> Double {
        max(0.15, 0.95 * Double(1 + sustainSteps) * stepSeconds)
    }

    /// How many seconds a note that was held so long takes to fall by 60 dB, as one whose release began then by itself.
    @_noLocks @_noAllocation
    static func release(_ contour: Contour?, heldSeconds: Double) -> Double {
        min(contour?.release ?? 0.15, max(0.045, heldSeconds * (0.3 / 0.7)))
    }

    /// The next note is of another preset.
    @_noLocks @_noAllocation
    mutating func forget() { stepSeconds = 0 }

    /// The envelope of a note.
    ///
    /// - Parameters:
    ///   - contour: How its preset's notes run; nil for as they did in the first instrument.
    ///   - peak: An accent's level.
    @_noLocks @_noAllocation
    mutating func shape(_ contour: Contour?, peak: Double, _ stroke: Stroke) -> EnvelopeShape {
        if stroke.isHeld { return makeHeldShape(contour, peak: peak, stroke) }
        let isNewest =
            stroke.stepSeconds == stepSeconds && stroke.sustainSteps == sustainSteps && stroke.isAccent == isAccent
        if !isNewest {
            (stepSeconds, sustainSteps, isAccent) = (stroke.stepSeconds, stroke.sustainSteps, stroke.isAccent)
            if let contour {
                newest = makeShape(contour, peak: peak, stroke)
            } else {
                newest = makeShape(peak: peak, stroke)
            }
        }
        return newest
    }

    /// Linear attack, then the level of a sustained note for as long as it takes.
    @_noLocks @_noAllocation
    private func makeHeldShape(_ contour: Contour?, peak: Double, _ stroke: Stroke) -> EnvelopeShape {
        let level = peak * stroke.level
        let endless = Int(Int32.max / 2)
        var shape = EnvelopeShape()
        shape.append(
            EnvelopeSegment(from: 0, to: level, frames: frames(contour?.attack ?? 0.01, sampleRate: sampleRate)))
        if let contour {
            let decay = contour.sustainSeconds * sampleRate
            shape.append(
                EnvelopeSegment(from: level, towards: 0.8 * level * contour.sustain, decay: decay, frames: endless))
        } else {
            let fall = frames(0.06, sampleRate: sampleRate)
            shape.append(EnvelopeSegment(from: level, to: 0.8 * level, frames: fall))
            shape.append(EnvelopeSegment(from: 0.8 * level, to: 0.8 * level, frames: endless))
        }
        return shape
    }

    /// Linear attack, level (a sustained note's falls to 0.8 of it), exponential release down to -60 dB of the level,
    /// 1 ms to zero.
    @_noLocks @_noAllocation
    private func makeShape(peak: Double, _ stroke: Stroke) -> EnvelopeShape {
        let seconds = NoteEnvelope.length(stepSeconds: stroke.stepSeconds, sustainSteps: stroke.sustainSteps)
        let level = peak * stroke.level
        let isSustained = stroke.sustainSteps > 0
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

    /// How a preset's note runs: linear attack, then towards the sustain level, exponential release by 60 dB, 1 ms to zero.
    @_noLocks @_noAllocation
    private func makeShape(_ contour: Contour, peak: Double, _ stroke: Stroke) -> EnvelopeShape {
        let seconds = NoteEnvelope.length(stepSeconds: stroke.stepSeconds, sustainSteps: stroke.sustainSteps)
        let level = peak * stroke.level
        let sustain = level * contour.sustain * (stroke.sustainSteps > 0 ? 0.8 : 1)

        let attack = frames(min(contour.attack, 0.3 * seconds), sampleRate: sampleRate)
        let release = frames(min(contour.release, 0.3 * seconds), sampleRate: sampleRate)
        let held = frames(seconds, sampleRate: sampleRate) - attack - release
        let decay = contour.sustainSeconds * sampleRate
        let end = sustain + (level - sustain) * exponential(max(-600, logSixtyDecibelsDown * Double(held) / decay))

        var shape = EnvelopeShape()
        shape.append(EnvelopeSegment(from: 0, to: level, frames: attack))
        shape.append(EnvelopeSegment(from: level, towards: sustain, decay: decay, frames: held))
        shape.append(EnvelopeSegment(from: end, logRatio: logSixtyDecibelsDown, frames: release))
        shape.append(EnvelopeSegment(from: 0.001 * end, to: 0, frames: frames(0.001, sampleRate: sampleRate)))
        return shape
    }
}
