import Music

/// What the transport does, and at whose word. What is no case cannot be.
enum TransportState: BitwiseCopyable {
    /// Our own clock drives.
    case own(PlayState)
    /// JACK's transport drives, also while its timebase is ours.
    case jack(PlayState)
    /// JACK's transport has been asked to roll along with music that plays on by itself until it does.
    case startingJack
    /// The MIDI clock drives.
    case midi(PlayState)
    /// The music plays, but stands until the MIDI clock's next tick.
    case awaitingTick
    /// The MIDI clock is not followed until it starts anew, or we ask for it: it was lost, or we stopped alone.
    case ignoringTicks(PlayState)
    /// A timeline drives.
    case timeline(PlayState)
    /// The music plays, but stands until the timeline's next multiple of the quantum, and until a time in µs.
    case awaitingQuantum(from: Int64)
    /// The program ends: the music stands, and nothing starts it any more.
    case ended

    /// What the transport does once it follows a source.
    init(followed source: SyncSource, _ motion: PlayState) {
        switch source {
        case .own, .automatic: self = .own(motion)
        case .jack: self = .jack(motion)
        case .midi: self = .midi(motion)
        case .timeline: self = .timeline(motion)
        }
    }

    /// What drives.
    var source: SyncSource {
        switch self {
        case .own, .ended: .own
        case .jack, .startingJack: .jack
        case .midi, .awaitingTick, .ignoringTicks: .midi
        case .timeline, .awaitingQuantum: .timeline
        }
    }

    /// What is shown.
    var motion: PlayState {
        switch self {
        case .own(let motion), .jack(let motion), .midi(let motion), .ignoringTicks(let motion),
            .timeline(let motion):
            motion
        case .startingJack, .awaitingTick, .awaitingQuantum: .playing
        case .ended: .stopped
        }
    }

    /// Whether the music is to play but stands until a source starts it.
    var isWaiting: Bool {
        switch self {
        case .awaitingTick, .awaitingQuantum: true
        case .own, .jack, .startingJack, .midi, .ignoringTicks, .timeline, .ended: false
        }
    }

    /// The same source, by which the music now plays or stands.
    func moved(to motion: PlayState) -> TransportState {
        switch self {
        case .own: .own(motion)
        case .jack, .startingJack: .jack(motion)
        case .midi, .awaitingTick: .midi(motion)
        case .ignoringTicks: .ignoringTicks(motion)
        case .timeline, .awaitingQuantum: .timeline(motion)
        case .ended: .ended
        }
    }

    var isPlaying: Bool { motion == .playing }
    var isStopped: Bool { motion == .stopped }
}
