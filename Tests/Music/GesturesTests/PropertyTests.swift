import Gestures
import Grid
import Music
import TestSupport
import Testing

/// Properties that hold whatever is played. A failing sequence can be replayed from its seed.
@Suite struct PropertyTests {
    private func seeds(of part: UInt64, from first: UInt64) -> Range<UInt64> {
        first + part * 50..<first + (part + 1) * 50
    }

    @Test(arguments: 0..<UInt64(30))
    func `whatever is played, the notes keep the tracks' rules`(part: UInt64) {
        for seed in seeds(of: part, from: 0) {
            var performer = RandomPerformer(seed: seed)
            for _ in 0..<40 {
                let (cells, count) = (performer.rig.cells, performer.rig.actions.count)
                performer.act()
                check(performer.rig, after: cells, seed: seed)
                check(performer.rig.actions.dropFirst(count), seed: seed)
            }
            performer.cancelAll()
            // Picked-up pads time out.
            performer.rig.wait(5000)
            #expect(performer.rig.machine.previews.isEmpty, "seed \(seed)")
            #expect(performer.rig.machine.scrubChanges == nil, "seed \(seed)")
            #expect(performer.rig.machine.nextDeadline == nil, "seed \(seed)")
            checkHistory(performer.rig, seed: seed)
        }
    }

    private func check(_ rig: Rig, after before: Cells, seed: UInt64) {
        if let deadline = rig.machine.nextDeadline { #expect(deadline > rig.now, "seed \(seed)") }
        if let changes = rig.machine.scrubChanges { #expect((0...5).contains(changes), "seed \(seed)") }
        checkPreviews(rig, seed: seed)
        guard rig.cells != before else { return }
        for step in 0..<SlotNotes.stepCount {
            #expect(rig.cells[.melody, step].notes.count <= 1, "seed \(seed)")
        }
    }

    private func check(_ actions: ArraySlice<Action>, seed: UInt64) {
        for action in actions {
            switch action {
            case .tooltip(let tooltip), .dragTooltip(let tooltip, _):
                #expect((2...19).contains(tooltip.row), "seed \(seed)")
                // The grid cuts a chain's text; subscribers receive all of it.
                let isChain = tooltip.text.hasPrefix("CHAIN ")
                #expect((1...(isChain ? 22 : 11)).contains(tooltip.text.utf8.count), "seed \(seed)")
            default: break
            }
        }
    }

    private func checkPreviews(_ rig: Rig, seed: UInt64) {
        let pattern = rig.document.pattern
        for cell in rig.machine.previews.joined() {
            #expect(cell.step < pattern.length(of: cell.track), "seed \(seed)")
            // A lens previews existing notes.
            let isWritten = rig.lenses[cell.track] == nil && cell.track.isPitched
            #expect(!isWritten || pattern.key.contains(cell.note), "seed \(seed)")
            #expect(cell.velocity != .off, "seed \(seed)")
        }
    }

    /// Undoing everything gives the first pattern, redoing everything the last.
    private func checkHistory(_ rig: Rig, seed: UInt64) {
        var document = rig.document
        func notes() -> [SlotNotes] { Slot.all.map { document.pattern[$0] } }
        let (last, steps) = (notes(), document.history.undoCount)
        #expect(steps < History.capacity, "seed \(seed)")
        while document.apply(.undo) {}
        #expect(notes().allSatisfy { $0.isEmpty }, "seed \(seed)")
        for _ in 0..<steps { document.apply(.redo) }
        #expect(notes() == last, "seed \(seed)")
    }

    /// Checks each edit against the instrument as it was when the gesture ended.
    @Test(arguments: 0..<UInt64(20))
    func `gestures write only notes of the scale and leave no headless cell`(part: UInt64) {
        for seed in seeds(of: part, from: 10_000) {
            var performer = RandomPerformer(seed: seed)
            performer.rig.onEdit = { before, after in
                let key = before.pattern.key
                let cells = after.pattern.cells
                #expect(cells == after.pattern.soundingCells, "seed \(seed)")
                #expect(after.history.redoCount == 0, "seed \(seed)")
                for track in [Track.melody, .chords, .bass] {
                    for step in 0..<SlotNotes.stepCount where cells[track, step] != before.pattern[track, step] {
                        for note in cells[track, step].notes
                        where cells[track, note, step] != before.pattern[track, note, step] {
                            #expect(key.contains(note), "seed \(seed)")
                        }
                    }
                }
            }
            for _ in 0..<40 { performer.act() }
            #expect(performer.rig.actions.count > 0)
        }
    }

    @Test(arguments: 0..<UInt64(10))
    func `a cancelled touch leaves no trace`(part: UInt64) {
        for seed in seeds(of: part, from: 50_000) {
            var performer = RandomPerformer(seed: seed)
            for _ in 0..<15 { performer.act() }
            performer.cancelAll()
            performer.rig.wait(5000)
            performer.rig.forgetActions()
            let before = performer.rig.document
            performer.playAndCancel()
            let rig = performer.rig
            #expect(rig.machine.previews.isEmpty, "seed \(seed)")
            #expect(rig.machine.nextDeadline == nil, "seed \(seed)")
            // Only rubbing out takes effect before the finger is lifted.
            if !rig.texts.contains("CLEARED!") { #expect(rig.document == before, "seed \(seed)") }
        }
    }
}
