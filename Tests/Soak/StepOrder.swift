import PixelBoopClient
import Wire

/// Whether each step that is heard follows the one before it: none twice, none left out.
///
/// What makes the music go elsewhere is no fault: a start, a stop, another length, another source of time, JACK's return.
/// Steps and the state are told side by side, so that a jump is judged only when the steps after it are known, too.
struct StepOrder {
    /// What has to stay as it is for steps to follow one another.
    private struct Course: Equatable {
        var status: TransportState.Status
        var length: Double?
        var following: SyncState
        var audio: AudioState.Status

        init(_ state: InstrumentState) {
            (status, length) = (state.transport.state, state.settings[.length].number)
            following = state.sync
            // The tempo may change, and who is told of it.
            (following.bpm, following.leading) = (0, [])
            audio = state.audio.status
        }
    }

    /// Steps between a change of course and those that must follow one another.
    private static let grace = 4

    /// Steps that followed the one before them as they must.
    private(set) var inOrder = 0
    /// Jumps without a reason.
    private(set) var faults: [String] = []
    private var course: Course?
    private var last: StepEvent?
    private var sinceChange = 0
    private var suspicion: (fault: String, step: Int)?

    mutating func add(_ state: InstrumentState) {
        let course = Course(state)
        guard course != self.course else { return }
        (self.course, sinceChange, suspicion) = (course, 0, nil)
    }

    mutating func add(_ step: StepEvent) {
        defer { last = step }
        sinceChange += 1
        if let (fault, number) = suspicion, sinceChange >= number + Self.grace {
            faults.append(fault)
            suspicion = nil
        }
        guard let last, let length = course?.length, sinceChange > Self.grace else { return }
        if step.step == (last.step + 1) % Int(length) {
            inOrder += 1
        } else if suspicion == nil {
            suspicion = (
                "step \(step.step) after step \(last.step) of \(Int(length)), "
                    + "\((Int(step.usecs) - Int(last.usecs)) / 1000) ms later", sinceChange
            )
        }
    }
}
