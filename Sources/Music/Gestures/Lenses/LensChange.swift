import Grid
import Music

/// The change that a finger on a lens would make if it were lifted now.
struct LensChange {
    /// The slot's new contents.
    let contents: SlotNotes
    let preview: [PreviewCell]
    let title: String
    /// The notes whose value changes.
    var noteCount = 0
}

extension LensFinger {
    /// What lifting the finger now would do, nil for nothing.
    func change(in turn: Turn) -> LensChange? {
        switch lens.kind {
        case .notes(let value): valueChange(value, in: turn)
        case .length: lengthChange(in: turn)
        case .speed: tracker.isTap ? speedChange(in: turn) : nil
        case .motion(let parameter): motionChange(parameter, in: turn)
        }
    }

    private func valueChange(_ value: NoteValue, in turn: Turn) -> LensChange {
        let notes = turn.document.pattern.sounding(slot)
        let stroke = ValueStroke(
            tracker, on: value, of: slot.track, step: step, length: turn.length(of: slot), sounding: notes)
        let preview = stroke.changes(on: slot.track, in: notes)
        return LensChange(
            contents: stroke.applied(to: notes), preview: preview, title: value.row.title(stroke.number),
            noteCount: preview.count)
    }

    /// The step of a tap or under a drag becomes the last of the slot's own loop. A tap on the last step lets the slot
    /// follow the pattern's length again.
    private func lengthChange(in turn: Turn) -> LensChange {
        let present = turn.length(of: slot)
        let last = DragShape.step(at: tracker.target.column, length: SlotNotes.stepCount)
        var contents = turn.document.pattern[slot]
        contents.length = tracker.isTap && last + 1 == present ? nil : last + 1
        let length = contents.length ?? turn.length
        let changed = length == present ? 0..<0 : min(length, present) - 1..<present
        return LensChange(
            contents: contents, preview: changed.flatMap { step in (0..<rowCount).map { cell(at: step, row: $0) } },
            title: SlotNotes.title(ofLength: contents.length))
    }

    /// A tap chooses the speed of its row.
    private func speedChange(in turn: Turn) -> LensChange {
        let row = row(at: tracker.start.row)
        let speed = Speed.choices(rows: rowCount)[row]
        var contents = turn.document.pattern[slot]
        let steps = contents.speed == speed ? 0..<0 : 0..<turn.length(of: slot)
        contents.speed = speed
        return LensChange(
            contents: contents, preview: steps.map { cell(at: $0, row: row) }, title: "X \(speed.name)")
    }

    /// A tap sets or removes the step's point, a drag draws points, and a hold removes all.
    private func motionChange(_ parameter: Parameter, in turn: Turn) -> LensChange {
        var contents = turn.document.pattern[slot]
        if tracker.isTap, tracker.isHeld {
            contents.motions.clear(parameter)
            return LensChange(contents: contents, preview: [], title: "CLEARED!")
        }
        let touched = heights.filter { $0.key < turn.length(of: slot) }.sorted { $0.key < $1.key }.map {
            Motions.Point(step: $0.key, value: parameter.motionValue(atHeight: $0.value))
        }
        let preview = touched.map { cell(at: $0.step, row: parameter.motionRow(of: $0.value, of: rowCount)) }
        if tracker.isTap, let value = contents.motions[parameter, step],
            parameter.motionRow(of: value, of: rowCount) == row(at: tracker.start.row)
        {
            contents.motions[parameter, step] = nil
            return LensChange(contents: contents, preview: preview, title: lens.title)
        }
        for point in touched { contents.motions[parameter, point.step] = nil }
        let line = MotionLine(values: touched, range: parameter.row.motion ?? 0...0)
        for point in isExact ? line.fewestPoints : touched { contents.motions[parameter, point.step] = point.value }
        let value = parameter.motionValue(atHeight: height(at: tracker.target.y))
        return LensChange(contents: contents, preview: preview, title: parameter.title(of: value))
    }

    /// A cell of the track; rows count from 0 at the bottom.
    private func cell(at step: Int, row: Int) -> PreviewCell {
        PreviewCell(track: slot.track, note: row * Track.noteCount / rowCount, step: step, velocity: .normal)
    }
}
