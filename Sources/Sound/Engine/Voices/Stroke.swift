/// How a note is played.
struct Stroke: BitwiseCopyable {
    var isAccent: Bool
    /// How long a step lasts in seconds.
    var stepSeconds: Double
    /// Steps after the note's own for which it is held.
    var sustainSteps: Int
    /// Whether it lasts until it is released.
    var isHeld = false

    /// The note's own level.
    var decibels = 0
    var ratchet = Ratchet()
    /// The track's step that the note belongs to, counted from the song's start; nil for what is played by hand.
    var count: Int64?
    /// How the start differs from others.
    var drift = Drift()
    /// The gain in dB that a key's velocity gives.
    var keyDecibels = 0.0
    /// Whether every level has a brightness of its own, and not only normal notes and accents.
    var isDynamic = false

    /// How long this start lasts, given how long the note would last without ratchets.
    func seconds(of whole: Double) -> Double { ratchet.seconds(of: whole) }

    /// The gain of the note's own level.
    var gain: Double {
        let decibels = Double(decibels) + keyDecibels
        return decibels == 0 ? 1 : exponential(decibels * (2.302_585_092_994_046 / 20))
    }

    /// How dull the note is: 0 for accents, 1 for normal notes, whose filters and modulators start with `normalFactor`
    /// of their way; in between and beyond with that to this power.
    var softness: Double {
        let normal = level < 1 ? 1.0 : 0
        return isDynamic ? normal - (Double(decibels) + keyDecibels) / 6.02 : normal
    }

    /// A MIDI velocity at the note's own level: half as many decibels, and never silent.
    func velocity(_ velocity: UInt8) -> UInt8 {
        guard decibels != 0 else { return velocity }
        return UInt8(max(1, Double(velocity) * exponential(Double(decibels) * (2.302_585_092_994_046 / 40)) + 0.5))
    }

    /// The level of a note without its own. A sustained note starts as loud as an accent, even if its head is none.
    var level: Double { isAccent || sustainSteps > 0 ? 1 : 0.5 }
}

/// Which of a note's starts within its step this is, and of how many.
struct Ratchet: BitwiseCopyable {
    /// From 0.
    var index = 0
    /// 1 to 8.
    var count = 1
    /// Seconds from one start to the next.
    var partSeconds = 0.0

    /// How long this start lasts, for a whole note of this length. It ends shortly before the next start; the last one
    /// lasts for the rest of the note.
    func seconds(of whole: Double) -> Double {
        if count == 1 { return whole }
        let least = 0.9 * partSeconds
        return index + 1 < count ? min(whole, least) : max(whole - Double(index) * partSeconds, least)
    }
}
