import Instrument
import Music

/// What the transport does, and which source drives it. Impossible combinations have no case.
enum TransportState: BitwiseCopyable {
    /// Our own clock drives.
    case own(PlayState)
    /// JACK's transport drives, also while its timebase is ours.
    case jack(PlayState)
    /// JACK's transport has been asked to roll along with music that plays by itself until it does.
    case startingJack
    /// The MIDI clock drives.
    case midi(PlayState)
    /// The music plays, but waits for the MIDI clock's next tick.
    case awaitingTick
    /// The MIDI clock is ignored until it starts again or we play: it was lost, or we stopped on our own.
    case ignoringTicks(PlayState)
    /// A timeline drives.
    case timeline(PlayState)
    /// The music plays, but waits for the timeline's next multiple of the quantum after a time in µs.
    case awaitingQuantum(from: Int64)
    /// The program ends: the music has stopped for good.
    case ended

    /// The state after switching to a source.
    init(followed source: SyncSource, _ playState: PlayState) {
        switch source {
        case .own, .automatic: self = .own(playState)
        case .jack: self = .jack(playState)
        case .midi: self = .midi(playState)
        case .timeline: self = .timeline(playState)
        }
    }

    /// The driving source.
    var source: SyncSource {
        switch self {
        case .own, .ended: .own
        case .jack, .startingJack: .jack
        case .midi, .awaitingTick, .ignoringTicks: .midi
        case .timeline, .awaitingQuantum: .timeline
        }
    }

    /// The state to show.
    var playState: PlayState {
        switch self {
        case .own(let playState), .jack(let playState), .midi(let playState), .ignoringTicks(let playState),
            .timeline(let playState):
            playState
        case .startingJack, .awaitingTick, .awaitingQuantum: .playing
        case .ended: .stopped
        }
    }

    /// Whether the music plays but waits for a source.
    var isWaiting: Bool {
        switch self {
        case .awaitingTick, .awaitingQuantum: true
        case .own, .jack, .startingJack, .midi, .ignoringTicks, .timeline, .ended: false
        }
    }

    /// The same source with another play state.
    func moved(to playState: PlayState) -> TransportState {
        switch self {
        case .own: .own(playState)
        case .jack, .startingJack: .jack(playState)
        case .midi, .awaitingTick: .midi(playState)
        case .ignoringTicks: .ignoringTicks(playState)
        case .timeline, .awaitingQuantum: .timeline(playState)
        case .ended: .ended
        }
    }

    var isPlaying: Bool { playState == .playing }
    var isStopped: Bool { playState == .stopped }
}
