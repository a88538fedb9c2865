import Music

/// Where a track's notes go: to its voices, to the MIDI output or to both, and how they are sent there.
struct NoteRoute: BitwiseCopyable {
    /// Whether the track's own voices sound.
    var playsVoices = true
    /// Whether notes are sent.
    var sendsKeys = false
    /// 0 to 15.
    var channel: UInt8 = 0
    private var velocityNormal: UInt8 = 64
    private var velocityAccent: UInt8 = 96

    /// To the track's voices.
    init() {}

    /// A track's route.
    ///
    /// - Parameter isSilent: Whether the track is muted, or another one soloed: then nothing is sent.
    init(_ parameters: TrackParameters, isSilent: Bool) {
        // In the order of `Music.NoteTarget`.
        let target = Int(parameters[.target])
        playsVoices = target != 1
        sendsKeys = target != 0 && !isSilent
        channel = UInt8(max(0, min(15, parameters[.channel] - 1)))
        velocityNormal = UInt8(max(1, min(127, parameters[.velocityNormal])))
        velocityAccent = UInt8(max(1, min(127, parameters[.velocityAccent])))
    }

    /// The velocity of a note by its level: a sustained one is as loud as an accent, as with our own voices.
    func velocity(of stroke: Stroke) -> UInt8 {
        stroke.velocity(stroke.level < 1 ? velocityNormal : velocityAccent)
    }
}
