import Instrument
import Music
import Wire

/// The state that must not change if steps, and ticks of our clock, are to follow one another.
struct SoakCourse: Equatable {
    private var status: PlayState
    private(set) var length: Double?
    private(set) var following: SyncState
    private var audio: DriverState
    /// Whether a MIDI clock is sent.
    private(set) var sendsClock: Bool

    init(_ state: InstrumentState) {
        (status, length) = (state.transport.state, state.settings[.length].number)
        following = state.sync
        sendsClock = following.leading.contains(.midi)
        // The tempo may change, and where it is published.
        (following.bpm, following.leading) = (0, [])
        audio = state.audio.status
    }
}
