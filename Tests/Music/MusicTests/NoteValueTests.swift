import TestSupport
import Testing

@testable import Music

/// The table of note values, and the notes that hold them.
@Suite struct NoteValueTests {
    @Test func `a note keeps its values independent of each other and within their ranges`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var note = Note([Velocity.normal, .accent].randomElement(using: &random)!)
            let velocity = note.velocity
            var expected: [NoteValue: Int] = [:]
            for value in NoteValue.allCases { expected[value] = Note()[value] }
            for _ in 0..<10 {
                let value = NoteValue.allCases.randomElement(using: &random)!
                let number = Int.random(in: -200...200, using: &random)
                note[value] = number
                expected[value] = min(max(number, value.range.lowerBound), value.range.upperBound)
            }
            for value in NoteValue.allCases { #expect(note[value] == expected[value], "\(value)") }
            #expect(note.velocity == velocity)
            #expect(note.hasValues == expected.contains { $1 != Note()[$0] })
        }
    }

    @Test func `a note with default values is a note without values`() {
        for value in NoteValue.allCases {
            var note = Note(.normal, [value: value.range.lowerBound])
            #expect(value.range.contains(Note()[value]))
            note[value] = Note()[value]
            #expect(note == Note(.normal) && !note.hasValues)
        }
    }

    @Test func `only heads have values`() {
        for value in NoteValue.allCases {
            let other = value.range.lowerBound == Note()[value] ? value.range.upperBound : value.range.lowerBound
            for velocity in [Velocity.off, .sustain] { #expect(Note(velocity, [value: other]) == Note(velocity)) }
            var note = Note(.accent, [value: other])
            note.velocity = .normal
            #expect(note[value] == other)
            note.velocity = .sustain
            note.velocity = .normal
            #expect(note == Note(.normal))
        }
    }

    /// Numbers computed with the formula in Python.
    @Test(
        arguments: [
            (1, 0, 0, 0, 5_673_494), (1, 0, 3, 0, 4_406_398), (1, 5, 0, 7, 11_837_511), (1, 5, 1, 7, 11_550_501),
            (7, -3, 2, 0, 2_823_362), (0, 1_000_000_007, 3, 11, 10_228_695),
            (9_007_199_254_740_991, 1, 3, 4, 7_387_158),
        ] as [(Int, Int64, Int, Int, Int)])
    func `the dice follow the formula`(seed: Int, count: Int64, track: Int, note: Int, number: Int) {
        let dice = Dice(seed: Double(seed))
        #expect(dice.number(count: count, track: track, note: note) == Double(number) / 16_777_216)
        // Notes of one step share a number, except drums.
        #expect(
            (dice.number(count: count, track: track, note: (note + 1) % 12) == Double(number) / 16_777_216)
                == (track != 3))
    }

    @Test func `the next seed follows the formula`() {
        let seeds = [0, 1, 2, 9_007_199_254_740_991]
        #expect(
            seeds.map { Dice(seed: Double($0)).nextSeed }
                == [7_956_156_453_446_585, 5_103_132_997_656_651, 5_324_963_733_279_466, 1_292_106_377_066_186])
    }

    @Test func `each chance is the share of passes in which a note plays, and tracks do not agree`() {
        let (dice, passes) = (Dice(seed: 11), isLongRun ? 100_000 : 20_000)
        func plays(_ chance: Int, _ track: Int, _ pass: Int) -> Bool {
            let turn = StepTurn(track: track, count: Int64(pass * 16 + 5), pass: Int64(pass), firstPass: 0)
            return Note(.normal, [.chance: chance]).plays(0, at: turn, by: dice)
        }
        for chance in stride(from: 0, through: 100, by: 5) {
            for track in 0..<4 {
                let share = Double(chance) / 100
                let count = (0..<passes).count { plays(chance, track, $0) }
                let sigma = (Double(passes) * share * (1 - share)).squareRoot()
                #expect(abs(Double(count) - share * Double(passes)) <= 4.5 * sigma, "\(chance) % on \(track)")
            }
        }
        for chance in stride(from: 10, through: 90, by: 10) {
            let share = Double(chance) / 100
            for (one, other) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
                let both = (0..<passes).count { plays(chance, one, $0) && plays(chance, other, $0) }
                let expected = share * share
                let sigma = (Double(passes) * expected * (1 - expected)).squareRoot()
                #expect(
                    abs(Double(both) - expected * Double(passes)) <= 4.5 * sigma, "\(chance) % on \(one) and \(other)")
            }
        }
    }

    private func plays(_ cycle: String, pass: Int64, firstPass: Int64 = 0) -> Bool {
        let note = Note(.normal, [.cycle: NoteValue.cycle.number(of: .choice(cycle))!])
        let turn = StepTurn(track: 0, count: 0, pass: pass, firstPass: firstPass)
        return note.plays(0, at: turn, by: Dice(seed: 1))
    }

    @Test func `A of every B is exact over many passes, also before the song's start`() {
        #expect(NoteValue.cycle.number(of: "1:1") == nil && NoteValue.cycle.number(of: "3:2") == nil)
        for count in 2...8 {
            for place in 1...count {
                let first = Int64(place - 1 - 8 * count)
                let wrong = (Int64(-64)..<500).filter { pass in
                    plays("\(place):\(count)", pass: pass)
                        != ((pass - first + 100 * Int64(count)) % Int64(count) == 0)
                }
                #expect(wrong.isEmpty, "\(place):\(count)")
            }
        }
    }

    @Test func `first is the pass in which the slot began, not first all others`() {
        for pass in Int64(-3)...9 {
            #expect(plays("first", pass: pass, firstPass: 4) == (pass == 4))
            #expect(plays("not first", pass: pass, firstPass: 4) == (pass != 4))
            #expect(plays("always", pass: pass, firstPass: 4))
        }
    }

    @Test func `fill plays while it is held, not fill while it is not`() {
        for (name, isFilling) in [("fill", true), ("not fill", false)] {
            let note = Note(.normal, [.cycle: NoteValue.cycle.number(of: .choice(name))!])
            for held in [true, false] {
                let turn = StepTurn(track: 1, count: 9, pass: 2, firstPass: 0, isFilling: held)
                #expect(note.plays(3, at: turn, by: Dice(seed: 1)) == (held == isFilling))
            }
        }
    }

    @Test func `a note is four bytes and a step twelve notes`() {
        #expect(MemoryLayout<Note>.size == 4 && MemoryLayout<StepNotes>.size == 48)
    }

    @Test func `a rewritten note has default values, an accented one keeps its values`() {
        var step = StepNotes([3, 5], .normal)
        step[whole: 3] = Note(.normal, [.level: -6])
        step[whole: 5] = Note(.normal, [.level: -9])
        let accents = StepNotes([3, 7], .accent).keepingValues(of: step)
        #expect(accents[whole: 3] == Note(.accent, [.level: -6]) && accents[whole: 7] == Note(.accent))
        #expect(step.keeping([5])[whole: 5][.level] == -9)
        step[3] = .normal
        #expect(step[whole: 3] == Note(.normal))
    }
}
