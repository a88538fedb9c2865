import Grid
import Instrument
import Music

/// One call of the machine: the context for contacts, and their actions so far.
struct Turn {
    /// When it happens, or was due.
    var now: TouchMoment
    /// When it is handled.
    let arrival: Duration
    /// Counts the calls, so that their order is known even when they happen at the same time.
    let number: Int
    /// The instrument as it will be once the actions so far are carried out.
    private(set) var context: GestureContext
    var memory: Memory
    /// Whether reports answer the touch that arrived, rather than another finger's wait.
    var isAnswer = true
    /// The actions so far.
    private(set) var actions: [Action] = []

    init(_ number: Int, at now: TouchMoment, in context: GestureContext, memory: Memory) {
        self.now = now
        arrival = now.arrival
        self.number = number
        self.context = context
        self.memory = memory
    }

    var document: Document { context.document }
    var key: Key { context.document.pattern.key }
    /// Steps of the whole.
    var length: Int { context.document.pattern.length }

    /// Steps of a slot that are shown.
    func length(of slot: Slot) -> Int { context.document.pattern.length(of: slot) }

    mutating func show(_ text: String, at anchor: TooltipAnchor, changing what: String? = nil) {
        actions.append(.tooltip(Tooltip(text: text, row: anchor.row, what: what)))
    }

    mutating func show(_ text: String, at anchor: TooltipAnchor, during drag: DragID) {
        actions.append(.dragTooltip(Tooltip(text: text, row: anchor.row), drag))
    }

    /// Removes a text that should not have been shown.
    mutating func withdraw(_ text: String, at anchor: TooltipAnchor) {
        actions.append(.withdrawTooltip(Tooltip(text: text, row: anchor.row)))
    }

    mutating func endTooltip(of drag: DragID) { actions.append(.endDragTooltip(drag)) }

    mutating func punchIn(_ touch: PunchTouch) { actions.append(.punchIn(touch)) }

    mutating func endPunchIn(_ effect: PunchEffect, by client: ClientID, _ id: DragID) {
        actions.append(.endPunchIn(effect, client, id))
    }

    mutating func shake(_ client: ClientID, _ haptic: Haptic) { actions.append(.haptic(client, haptic)) }

    mutating func report(_ gesture: String, notes: Int) {
        if isAnswer { actions.append(.outcome(TouchOutcome(gesture: gesture, notes: notes))) }
    }

    /// Plays notes, in one action for each velocity.
    mutating func audition(_ notes: StepNotes, on track: Track) {
        for velocity in [Velocity.accent, .normal] {
            let heads = NoteSet(notes.notes.filter { notes[$0] == velocity })
            guard !heads.isEmpty else { continue }
            actions.append(.audition(Audition(track: track, notes: heads, velocity: velocity)))
        }
    }

    mutating func set(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) {
        context.document.set(parameter, on: track, to: value)
        actions.append(.perform(.set(parameter, on: track, to: value)))
    }

    /// Arms recording or disarms it.
    mutating func record(_ isOn: Bool) {
        context.isRecording = isOn
        actions.append(.perform(.transport(.record(isOn))))
    }

    /// Writes the keys that were played, but not recorded.
    mutating func catchKeys() {
        context.canCatch = false
        actions.append(.perform(.catchKeys))
    }

    /// Starts or stops the step clock.
    mutating func play(_ isPlaying: Bool) {
        context.isPlaying = isPlaying
        actions.append(.perform(.transport(isPlaying ? .play : .stop)))
    }

    /// Launches slots, or cancels launches.
    mutating func launch(_ request: LaunchRequest) {
        context.launches.accept(request, playing: document.pattern.playing)
        if !context.clockRuns { context.document.launch(context.launches.fetchQueued()) }
        actions.append(.perform(.launch(request)))
    }

    /// Opens a lens on a track, or with nil closes it.
    mutating func open(_ lens: Lens?, on track: Track) {
        context.lenses[track] = lens
        actions.append(.perform(.look(track, through: lens)))
    }

    /// Changes the notes or their history, unless that would change nothing.
    ///
    /// - Returns: Whether the pattern changed.
    mutating func edit(_ changes: [DocumentChange]) -> Bool {
        let before = document
        for change in changes { context.document.apply(change) }
        let isChanged = document.pattern != before.pattern
        // An undo step that changes nothing is used up all the same.
        guard isChanged || document.history != before.history else {
            context.document = before
            return false
        }
        actions.append(.perform(.change(changes)))
        return isChanged
    }
}
