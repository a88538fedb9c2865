/// The envelope of a pitched note.
struct NoteEnvelope: BitwiseCopyable {
    /// Frames per second.
    private let sampleRate: Double
    // The newest shape and its inputs, cached because the notes of a chord are mostly alike.
    private var newest = EnvelopeShape()
    private var stepSeconds = 0.0
    private var sustainSteps = 0
    private var isAccent = false
    private var decibels = 0
    private var seconds = 0.0

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
    }

    /// Seconds from a stroke's start to its release's end: for a note 0.95 of its steps, at least 0.15 s.
    static func length(of stroke: Stroke) -> Double {
        stroke.seconds(of: max(0.15, 0.95 * Double(1 + stroke.sustainSteps) * stroke.stepSeconds))
    }

    /// Seconds in which a note that was held this long falls by 60 dB.
    static func release(_ contour: Contour, heldSeconds: Double) -> Double {
        min(contour.release, max(0.045, heldSeconds * (0.3 / 0.7)))
    }

    /// Clears the cache, when the preset changes.
    mutating func forget() { stepSeconds = 0 }

    /// The envelope of a note.
    ///
    /// - Parameters:
    ///   - peak: An accent's level.
    mutating func shape(_ contour: Contour, peak: Double, _ stroke: Stroke) -> EnvelopeShape {
        let length = NoteEnvelope.length(of: stroke)
        let isNewest =
            stroke.stepSeconds == stepSeconds && stroke.sustainSteps == sustainSteps && stroke.isAccent == isAccent
            && stroke.decibels == decibels && stroke.keyDecibels == 0 && length == seconds
        let level = peak * stroke.level * stroke.gain
        if stroke.isHeld { return makeShape(contour, level: level, stroke) }
        if !isNewest {
            (stepSeconds, sustainSteps, isAccent) = (stroke.stepSeconds, stroke.sustainSteps, stroke.isAccent)
            (decibels, seconds) = (stroke.decibels, length)
            newest = makeShape(contour, level: level, stroke)
        }
        return newest
    }

    /// Linear attack, then decay to the sustain level; exponential release by 60 dB, then 1 ms to zero.
    private func makeShape(_ contour: Contour, level: Double, _ stroke: Stroke) -> EnvelopeShape {
        let seconds = NoteEnvelope.length(of: stroke)
        let isShort = stroke.isHeld || seconds <= 0.2
        let wanted = isShort ? contour.shortAttack : contour.attack
        let attack = frames(stroke.isHeld ? wanted : min(wanted, 0.3 * seconds), sampleRate: sampleRate)
        let release = frames(min(contour.release, 0.3 * seconds), sampleRate: sampleRate)
        let held = stroke.isHeld ? Int(Int32.max / 2) : frames(seconds, sampleRate: sampleRate) - attack - release
        let sustain = level * contour.sustain * (stroke.isHeld || stroke.sustainSteps > 0 ? 0.8 : 1)
        let decay = contour.sustainSeconds * sampleRate

        var shape = EnvelopeShape()
        shape.append(EnvelopeSegment(from: 0, to: level, frames: attack))
        var end = sustain
        if contour.isStraight {
            let fall = min(Int(decay + 0.5), held)
            shape.append(EnvelopeSegment(from: level, to: sustain, frames: fall))
            shape.append(EnvelopeSegment(from: sustain, to: sustain, frames: held - fall))
        } else {
            end += (level - sustain) * exponential(max(-600, logSixtyDecibelsDown * Double(held) / decay))
            shape.append(EnvelopeSegment(from: level, towards: sustain, decay: decay, frames: held))
        }
        shape.isHeld = stroke.isHeld
        if stroke.isHeld { return shape }
        shape.append(EnvelopeSegment(from: end, logRatio: logSixtyDecibelsDown, frames: release))
        shape.append(EnvelopeSegment(from: 0.001 * end, to: 0, frames: frames(0.001, sampleRate: sampleRate)))
        return shape
    }
}
