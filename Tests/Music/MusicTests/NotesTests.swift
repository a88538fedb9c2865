import Music
import TestSupport
import Testing

@Suite struct NoteSetTests {
    @Test func `a set contains its notes and iterates from low to high`() {
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
    @Test func `the twelve cells are independent`() {
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

    @Test func `heads and sustains are distinguished, on the audio thread too`() {
        for (note, velocity) in zip([0, 5, 11, 7], Velocity.allCases) {
            var step = StepNotes([3], .accent)
            step[note] = velocity
            #expect(step.heads.contains(note) == velocity.isHead)
            #expect(step.sustains.contains(note) == (velocity == .sustain))
            let cell = step[whole: note]
            #expect(cell.isHead == velocity.isHead && cell.isSustain == (velocity == .sustain))
            #expect(cell.isAccent == (velocity == .accent) && cell.velocity == velocity)
        }
    }

    @Test func `a cell can be overwritten`() {
        var step = StepNotes([3], .sustain)
        step[3] = .normal
        #expect(step[3] == .normal)
        step[3] = .off
        #expect(step.isEmpty)
    }

    @Test func `keeping drops only the other notes`() {
        var step = StepNotes([0, 4], .accent)
        step[7] = .sustain
        let kept = step.keeping([4, 7, 9])
        #expect(kept.notes == [4, 7])
        #expect(kept[4] == .accent && kept[7] == .sustain)
    }

    @Test func `the most prominent note is the strongest, of equals the lowest`() {
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

@Suite struct PatternNotesTests {
    @Test func `tracks, steps and slots are independent`() {
        var pattern = Pattern()
        #expect(pattern.filledSlots.isEmpty)
        pattern[.melody, 11, 31] = .accent
        pattern[.chords, 0, 0] = .sustain
        pattern[Slot(.bass, 7)][3, 2] = .normal
        #expect(pattern.filledSlots == [Slot(.melody, 0), Slot(.chords, 0), Slot(.bass, 7)])
        #expect(pattern[.melody, 11, 31] == .accent && pattern[.melody].count == 1)
        #expect(pattern[.chords, 0] == StepNotes([0], .sustain))
        #expect(pattern[.melody, 0].isEmpty && pattern[.bass].isEmpty)
        pattern.playing.play(Slot(.bass, 7))
        #expect(pattern[.bass, 3, 2] == .normal && pattern[Slot(.bass, 0)].isEmpty)
    }

    @Test func `patterns with equal notes are equal, and any other note makes a difference`() {
        for slot in Slot.all {
            for step in [0, 15, 31] {
                var pattern = Pattern()
                pattern[slot][6, step] = .normal
                #expect(pattern != Pattern())
                pattern[slot][6, step] = .off
                #expect(pattern == Pattern() && !pattern.isFilled(slot))
            }
        }
    }
}
