import Music
import TestSupport
import Testing

@Suite struct NoteSetTests {
    @Test func `a set holds what was put in and walks from low to high`() {
        let set: NoteSet = [11, 0, 7, 0]
        #expect(Array(set) == [0, 7, 11])
        #expect(set.count == 3)
        #expect(set.lowest == 0)
        #expect(set.contains(7) && !set.contains(6))
        #expect(Array(NoteSet.all) == Array(0..<12))
        #expect(NoteSet().isEmpty && NoteSet().lowest == nil)
    }

    @Test func `bits above the twelve notes are ignored`() {
        #expect(NoteSet(bits: 0xffff) == .all)
    }

    @Test func `sets combine`() {
        let (left, right): (NoteSet, NoteSet) = ([0, 4, 7], [4, 5])
        #expect(left.union(right) == [0, 4, 5, 7])
        #expect(left.intersection(right) == [4])
        #expect(left.subtracting(right) == [0, 7])
    }
}

@Suite struct StepNotesTests {
    @Test func `twelve cells are kept apart`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let velocities = (0..<12).map { _ in Velocity.allCases.randomElement(using: &generator)! }
            var step = StepNotes()
            for note in (0..<12).shuffled(using: &generator) { step[note] = velocities[note] }
            #expect((0..<12).map { step[$0] } == velocities)
            #expect(Array(step.notes) == (0..<12).filter { velocities[$0] != .off })
            #expect(step.isEmpty == velocities.allSatisfy { $0 == .off })
        }
    }

    @Test func `a cell can be overwritten`() {
        var step = StepNotes([3], .sustain)
        step[3] = .normal
        #expect(step[3] == .normal)
        step[3] = .off
        #expect(step.isEmpty)
    }

    @Test func `keeping drops the others only`() {
        var step = StepNotes([0, 4], .accent)
        step[7] = .sustain
        let kept = step.keeping([4, 7, 9])
        #expect(kept.notes == [4, 7])
        #expect(kept[4] == .accent && kept[7] == .sustain)
    }

    @Test func `the strongest of a row is shown and of equals the lowest`() {
        var step = StepNotes()
        #expect(step.mostProminent(among: .all) == nil)
        step[2] = .sustain
        #expect(step.mostProminent(among: .all) == 2)
        step[5] = .normal
        step[3] = .normal
        #expect(step.mostProminent(among: .all) == 3)
        step[9] = .accent
        #expect(step.mostProminent(among: .all) == 9)
        #expect(step.mostProminent(among: [2, 5]) == 5)
    }
}

@Suite struct CellsTests {
    @Test func `tracks and steps are kept apart`() {
        var cells = Cells()
        #expect(cells.isEmpty)
        cells[.melody, 11, 31] = .accent
        cells[.chords, 0, 0] = .sustain
        #expect(cells.count == 2)
        #expect(cells[.melody, 11, 31] == .accent)
        #expect(cells[.chords, 0] == StepNotes([0], .sustain))
        #expect(cells[.melody, 0].isEmpty && cells[.bass, 0].isEmpty)
    }

    @Test func `equal cells are equal and any other cell makes a difference`() {
        for track in Track.allCases {
            for step in [0, 15, 31] {
                var cells = Cells()
                cells[track, 6, step] = .normal
                #expect(cells != Cells())
                cells[track, 6, step] = .off
                #expect(cells == Cells())
            }
        }
    }
}
