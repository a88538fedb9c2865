import Gestures
import Grid
import Instrument
import Music
import TestSupport

/// An instrument without sound or socket: it carries out the machine's actions as the daemon does, on a manual clock.
struct Rig {
    var document: Document
    var machine = GestureMachine()
    var isPlaying = false
    var isRecording = false
    var canCatch = false
    /// How often keys were caught.
    private(set) var catchCount = 0
    var hasAudio = true
    var tempoSource: SyncSource?
    var launches = LaunchQueue()
    var kits = Track.rhythm.soundNames
    var lenses = OpenLenses()
    /// Surfaces of clients other than the default one.
    var surfaces: [ClientID: TouchSurface] = [:]
    /// Called with the document before and after each edit by a gesture.
    var onEdit: ((Document, Document) -> Void)?
    private(set) var now = Duration.zero
    private(set) var actions: [Action] = []
    private var places: [String: TimelinePlace] = [:]

    init(_ document: Document = Document()) { self.document = document }

    /// An instrument in a key, with notes drawn on its tracks.
    init(
        _ root: String = "C", _ scale: Scale = .major, length: Int = 32, _ drawings: [Track: String] = [:]
    ) {
        var pattern = Pattern()
        pattern.key = Key(root: PitchClass(name: root)!, scale: scale)
        pattern.length = length
        for (track, drawing) in drawings { pattern.cells.draw(drawing, on: track) }
        self.init(Document(pattern: pattern))
    }

    var context: GestureContext {
        GestureContext(
            document: document, isPlaying: isPlaying, isRecording: isRecording, canCatch: canCatch,
            hasAudio: hasAudio,
            tempoSource: tempoSource, launches: launches, kits: kits, lenses: lenses)
    }

    // MARK: Input

    /// Plays touches written as a timeline, its times counted from now.
    mutating func play(_ timeline: String) {
        let start = now
        for event in timelineEvents(timeline) {
            wait(until: start + event.time)
            if let place = event.place { places[event.finger] = place }
            guard let phase = event.phase else { continue }
            let place = places[event.finger] ?? TimelinePlace(x: 0, y: 0)
            send(Touch(id: event.touchID, phase: phase, x: place.x, y: place.y), by: event.client)
        }
    }

    /// Plays touches written as a timeline, each with its own time; they arrive this many milliseconds late, but in
    /// order.
    mutating func play(_ timeline: String, late delays: [Int]) {
        let start = now
        for (event, delay) in zip(timelineEvents(timeline), delays) {
            wait(until: max(now, start + event.time + .milliseconds(delay)))
            if let place = event.place { places[event.finger] = place }
            guard let phase = event.phase else { continue }
            let place = places[event.finger] ?? TimelinePlace(x: 0, y: 0)
            let time = Duration.seconds(1000) + start + event.time
            send(Touch(id: event.touchID, phase: phase, x: place.x, y: place.y, time: time), by: event.client)
        }
    }

    /// Sends one touch now.
    mutating func send(_ touch: Touch, by client: ClientID = ClientID(1)) {
        let surface = surfaces[client] ?? TouchSurface()
        carryOut(machine.touch(touch, by: client, on: surface, at: now, in: context))
    }

    /// Lets time pass, waking the machine at its deadlines.
    mutating func wait(_ milliseconds: Int) { wait(until: now + .milliseconds(milliseconds)) }

    private mutating func wait(until end: Duration) {
        precondition(end >= now, "time never goes back")
        while let deadline = machine.nextDeadline, deadline <= end {
            now = max(now, deadline)
            carryOut(machine.advance(to: now, in: context))
        }
        now = end
    }

    /// Changes the document as a program would, bypassing the machine.
    mutating func change(_ change: (inout Document) -> Void) {
        change(&document)
        carryOut(machine.contextChanged(at: now, in: context))
    }

    private mutating func carryOut(_ new: [Action]) {
        actions += new
        guard !new.isEmpty else { return }
        for action in new {
            switch action {
            case .perform(.change(let changes)): carryOut(changes)
            case .perform(.launch(let request)): carryOut(request)
            case .perform(.look(let track, let lens)): lenses[track] = lens
            case .perform(.transport(.record(let isOn))): isRecording = isOn
            case .perform(.catchKeys): (canCatch, catchCount) = (false, catchCount + 1)
            case .perform(let command): isPlaying = command == .transport(.play)
            case .tooltip, .dragTooltip, .endDragTooltip, .withdrawTooltip, .punchIn, .endPunchIn, .haptic, .audition,
                .outcome:
                break
            }
        }
        carryOut(machine.contextChanged(at: now, in: context))
    }

    private mutating func carryOut(_ request: LaunchRequest) {
        launches.accept(request, playing: document.pattern.playing)
        if !context.clockRuns { document.launch(launches.fetchQueued()) }
    }

    private mutating func carryOut(_ changes: [DocumentChange]) {
        let before = document
        for change in changes { document.apply(change) }
        if changes.contains(where: \.writesCells) { onEdit?(before, document) }
    }

    // MARK: Output

    var cells: Cells { document.pattern.cells }
    var history: History { document.history }

    var tooltips: [Tooltip] {
        actions.compactMap { action in
            switch action {
            case .tooltip(let tooltip), .dragTooltip(let tooltip, _): tooltip
            default: nil
            }
        }
    }

    /// Texts in the order shown, repetitions left out.
    var texts: [String] {
        tooltips.map(\.text).reduce(into: []) { texts, text in
            if texts.last != text { texts.append(text) }
        }
    }

    var punchTouches: [PunchTouch] {
        actions.compactMap { action in
            if case .punchIn(let touch) = action { touch } else { nil }
        }
    }

    /// The effects that fingers have let go of.
    var endedPunchIns: [PunchEffect] {
        actions.compactMap { action in
            if case .endPunchIn(let effect, _, _) = action { effect } else { nil }
        }
    }

    var haptics: [Haptic] {
        actions.compactMap { action in
            if case .haptic(_, let haptic) = action { haptic } else { nil }
        }
    }

    var outcomes: [TouchOutcome] {
        actions.compactMap { action in
            if case .outcome(let outcome) = action { outcome } else { nil }
        }
    }

    var auditions: [Audition] {
        actions.compactMap { action in
            if case .audition(let audition) = action { audition } else { nil }
        }
    }

    var commands: [Command] {
        actions.compactMap { action in
            if case .perform(let command) = action { command } else { nil }
        }
    }

    /// The commands that write notes.
    var edits: [Command] {
        commands.filter { command in
            if case .change(let changes) = command { changes.contains(where: \.writesCells) } else { false }
        }
    }

    mutating func forgetActions() { actions = [] }
}

extension DocumentChange {
    fileprivate var writesCells: Bool {
        switch self {
        case .edit: true
        default: false
        }
    }
}
