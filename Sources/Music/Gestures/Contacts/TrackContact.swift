import Grid
import Music

/// A finger that went down on a visible step: it taps, holds, drags or scrubs.
struct TrackContact: Contact {
    private let client: ClientID
    private let track: Track
    /// The slot that was shown at the `down`: the finger writes there, even if another plays by then.
    private let slot: Slot
    /// Whether that slot plays, and its pitches are shown.
    private var isShown = true
    private let step: Int
    /// The number of the machine's call with the `down`.
    private let downNumber: Int

    private var tracker: TouchTracker
    /// The earlier tap with which this one may make a double tap.
    private var earlierTap: QuickTap?
    /// What the drag would write, nil while it is a tap or a scrub.
    private var stroke: DragStroke?
    /// What the finger would write as a tap or an accent, while it does not drag.
    private var tapPreview: [PreviewCell] = []
    /// Where the accent was announced, nil if it was not.
    private var accentTitle: TooltipAnchor?
    /// The notes that this finger played last.
    private var heard = NoteSet()

    init(
        downAt place: Place, track: Track, step: Int, of client: ClientID, on surface: TouchSurface,
        in turn: inout Turn
    ) {
        self.client = client
        self.track = track
        self.step = step
        slot = turn.document.pattern.playing[track]
        downNumber = turn.number
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        earlierTap = turn.memory.taps.claim(spot, by: client, at: turn.now)
        if !isCompletingPair { audition(stepTap(in: turn).tap, in: &turn) }
        judge(in: turn)
    }

    var wait: Wait? { tracker.wait }
    var preview: [PreviewCell] { isShown ? stroke?.writing.preview ?? tapPreview : [] }
    var drag: DragID? { stroke == nil ? nil : dragID }

    var scrubChanges: Int? {
        guard let scrub = tracker.drag?.scrub, scrub.changes > 0 || scrub.isCertain else { return nil }
        return scrub.changes
    }

    mutating func expire(in turn: inout Turn) {
        let wasHeld = tracker.isHeld
        tracker.expire()
        guard tracker.isHeld, !wasHeld else { return }
        accentTitle = .finger(tracker.place)
        turn.show("ACCENT!", at: .finger(tracker.place))
        turn.shake(client, .heavy)
        audition(stepTap(in: turn).accent, in: &turn)
        judge(in: turn)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        let wasComplete = isRubbedOut
        tracker.move(to: place, at: turn.now)
        withdrawAccent(in: &turn)
        judge(in: turn)
        if isRubbedOut, !wasComplete {
            turn.clear(showingAt: .finger(place), shaking: client)
        } else if let stroke {
            turn.show(stroke.title, at: .finger(place), during: dragID)
            audition(stroke, in: &turn)
        }
    }

    mutating func lift(in turn: inout Turn) {
        tracker.judgeHold(at: turn.now)
        withdrawAccent(in: &turn)
        guard tracker.isTap, !tracker.isHeld else {
            returnEarlierTap(in: &turn)
            if let stroke { commit(stroke, in: &turn) } else if tracker.isTap { accent(in: &turn) }
            return
        }
        if isCompletingPair { erase(in: &turn) } else { tap(in: &turn) }
    }

    mutating func abandon(in turn: inout Turn) { returnEarlierTap(in: &turn) }

    mutating func judgeAnew(in turn: Turn) -> Bool {
        guard step < turn.length(of: slot) else { return false }
        isShown = turn.document.pattern.playing.contains(slot) && turn.context.lenses[track] == nil
        judge(in: turn)
        return true
    }

    /// Withdraws the accent if the client's clock proves that the touch was too short for one.
    private mutating func withdrawAccent(in turn: inout Turn) {
        guard let anchor = accentTitle, !tracker.isHeld else { return }
        accentTitle = nil
        turn.withdraw("ACCENT!", at: anchor)
    }

    // MARK: Recognition

    private var dragID: DragID { DragID(number: downNumber) }
    private var spot: TapSpot { .step(slot, step: step, row: tracker.start.row) }
    private var isCompletingPair: Bool { earlierTap?.isHalfAPair ?? false }
    private var isRubbedOut: Bool { tracker.drag?.scrub.isComplete ?? false }

    private mutating func judge(in turn: Turn) {
        tapPreview = meantTap(in: turn)?.writing.preview ?? []
        guard let drag = tracker.drag, drag.hasLeftCell, !drag.scrub.isCertain else {
            stroke = nil
            return
        }
        stroke = DragStroke(DragShape(drag, of: tracker, on: track, in: turn.key, length: turn.length(of: slot)))
    }

    /// What lifting the finger now would do, nil if it drags, rubs out or erases.
    private func meantTap(in turn: Turn) -> StepTap.Result? {
        guard tracker.isTap, tracker.drag?.scrub.isCertain != true else { return nil }
        if tracker.isHeld { return stepTap(in: turn).accent }
        return isCompletingPair ? nil : stepTap(in: turn).tap
    }

    private func stepTap(in turn: Turn) -> StepTap {
        let sounding = turn.document.pattern.sounding(slot)[step]
        return StepTap(track, step: step, row: tracker.start.row, in: turn.key, on: sounding)
    }

    private func returnEarlierTap(in turn: inout Turn) {
        if let earlierTap { turn.memory.taps.remember(earlierTap) }
    }

    // MARK: Effects

    private func tap(in turn: inout Turn) {
        let wasEmpty = turn.document.pattern.sounding(slot)[step].isEmpty
        let result = stepTap(in: turn).tap
        let isChanged = turn.write(result.writing, into: slot, as: "tap")
        turn.show(track.title(of: result.namedNote), at: .finger(tracker.place))
        turn.shake(client, .light)
        // A run of taps that began on an empty step contains no double taps.
        let continuesRun = earlierTap != nil
        turn.memory.taps.remember(
            QuickTap(
                client: client, spot: spot, downAt: tracker.downAt, isHalfAPair: !continuesRun && !wasEmpty,
                revision: isChanged ? turn.document.history.revision : nil))
    }

    private func accent(in turn: inout Turn) {
        turn.write(stepTap(in: turn).accent.writing, into: slot, as: "accent")
    }

    private func commit(_ stroke: DragStroke, in turn: inout Turn) {
        let swipe = Swipe(tracker, on: slot, by: client, downNumber: downNumber, at: turn.now)
        let first = swipe.flatMap { turn.memory.swipes.claim($0, revision: turn.document.history.revision) }
        if let swipe, let first, turn.canUndoOrRedo(swipe.direction, retracting: first.hasWritten) {
            let what = turn.undoOrRedo(swipe.direction, retracting: first.hasWritten)
            turn.show(
                swipe.direction == .undo ? "<<UNDO" : "REDO>>", at: .finger(tracker.place), changing: what)
            turn.shake(client, .rigid)
            return
        }
        let hasWritten = turn.write(stroke.writing, into: slot, as: stroke.gesture.rawValue.lowercased())
        turn.endTooltip(of: dragID)
        turn.shake(client, .medium)
        if let swipe, first == nil {
            turn.memory.swipes.remember(
                .init(
                    swipe: swipe, upNumber: turn.number, revision: turn.document.history.revision,
                    hasWritten: hasWritten))
        }
    }

    /// The second of two taps on a step that sounded: both together are one undo step, unless others edited in between.
    private func erase(in turn: inout Turn) {
        var notes = turn.document.pattern.sounding(slot)
        notes[step] = StepNotes()
        let isNewest =
            turn.document.pattern.playing.contains(slot) && earlierTap?.revision == turn.document.history.revision
        let changes = isNewest ? turn.document.amendment([slot: notes]) : [.edit([slot: notes])]
        if turn.edit(changes) { turn.report("erase", notes: 0) }
        turn.show("ERASE", at: .finger(tracker.place))
        turn.shake(client, .rigid)
    }

    // MARK: Audition

    private mutating func audition(_ result: StepTap.Result, in turn: inout Turn) {
        let notes = result.writing.steps[0].notes
        heard = notes.notes
        turn.audition(notes, on: track)
    }

    private mutating func audition(_ stroke: DragStroke, in turn: inout Turn) {
        guard let notes = stroke.audible else { return }
        turn.audition(notes.keeping(notes.notes.subtracting(heard)), on: track)
        heard = notes.notes
    }
}
