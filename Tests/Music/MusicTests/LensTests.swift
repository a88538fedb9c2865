import TestSupport
import Testing

@testable import Music

/// Lenses: which one a track has, which values fingers choose from, and what freezing and resetting do.
@Suite struct LensTests {
    @Test func `each track has its own lens, and remembers its last one`() {
        var lenses = OpenLenses()
        #expect(Track.allCases.allSatisfy { lenses[$0] == nil && lenses.latest(of: $0) == .level })
        lenses[.bass] = .ratchet
        lenses[.bass] = nil
        #expect(lenses[.bass] == nil && lenses.latest(of: .bass) == .ratchet)
        #expect(lenses.latest(of: .melody) == .level)
    }

    @Test func `the ring goes both ways, and includes motions that have points`() {
        var motions = Motions()
        motions[.pan, 7] = 0.5
        for (motions, others) in [(Motions(), [Lens.gain, .pan]), (motions, [.gain])] {
            var lenses = OpenLenses()
            let motionless = [Lens.tone, .reverb, .delay, .width, .filter, .drive, .lfoDepth]
            let ring = Set(Lens.allCases).subtracting(motionless).subtracting(others)
            for isNext in [true, false] {
                var seen: [Lens] = []
                for _ in ring {
                    lenses[.chords] = lenses.neighbour(of: .chords, isNext: isNext, moving: motions)
                    seen.append(lenses[.chords]!)
                }
                #expect(Set(seen) == ring && seen.last == .level)
            }
        }
    }

    @Test(arguments: NoteValue.allCases)
    func `the default is the first choice, and every choice is a valid value`(value: NoteValue) {
        let choices = value.row.choices
        #expect(choices[0] == Note()[value] && Set(choices).count == choices.count)
        #expect(choices.allSatisfy { value.range.contains($0) && value.row.choices[value.choice(nearest: $0)] == $0 })
    }

    @Test(arguments: [
        (NoteValue.level, -1, 0), (.level, -2, -3), (.level, -24, -18), (.level, -15, -12), (.chance, 95, 100),
        (.chance, 0, 10), (.chance, 62, 50), (.ratchet, 5, 4), (.ratchet, 7, 6), (.nudge, 6, 0), (.nudge, -50, -37),
    ])
    func `a value in between counts as the nearest, of two the first`(value: NoteValue, number: Int, nearest: Int) {
        #expect(value.row.choices[value.choice(nearest: number)] == nearest)
    }

    @Test(arguments: [("1:8", "1:4"), ("3:8", "1:3"), ("5:8", "2:3"), ("7:8", "2:2"), ("5:6", "3:4"), ("5:5", "2:2")])
    func `a cycle counts as the choice with the nearest share of passes`(name: String, nearest: String) {
        let number = Cycle.names.firstIndex(of: name)!
        #expect(Cycle.names[NoteValue.cycle.row.choices[NoteValue.cycle.choice(nearest: number)]] == nearest)
    }

    @Test func `taps cycle through the values, drags stop at the ends`() {
        let level = NoteValue.level
        #expect(level.next(after: 0) == -3 && level.next(after: -18) == 0 && level.next(after: -1) == -3)
        #expect(level.moved(-6, by: 1) == -3 && level.moved(-6, by: -1) == -9 && level.moved(-6, by: 9) == 0)
        let nudge = NoteValue.nudge
        #expect(nudge.next(after: 50) == -12 && nudge.moved(0, by: -1) == -12 && nudge.moved(0, by: -9) == -37)
        let cycle = NoteValue.cycle
        #expect(Cycle.names[cycle.moved(0, by: 2)] == "2:2" && Cycle.names[cycle.moved(0, by: 99)] == "not fill")
    }

    // MARK: Freeze and reset

    private let dice = Dice(seed: 5)

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `freezing keeps what the pass played, without chance and cycle`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var notes = SlotNotes()
        for step in 0..<32 { for note in 0..<12 { notes[step][whole: note] = .random(using: &random) } }
        let track = Track.allCases.randomElement(using: &random)!
        let loop = Loop(length: .random(in: 8...32, using: &random), origin: .random(in: -50...50, using: &random))
        let (pass, first) = (Int64.random(in: 0...9, using: &random), Int64.random(in: 0...9, using: &random))
        let frozen = notes.frozen(on: track, in: TrackTime(whole: loop), pass: pass, firstPass: first, by: dice)
        for songStep in loop.origin + pass * Int64(loop.length)..<loop.origin + (pass + 1) * Int64(loop.length) {
            let step = loop.step(at: songStep)
            let turn = StepTurn(track: track.rawValue, count: songStep, pass: pass, firstPass: first)
            for number in 0..<12 {
                var expected = notes[step][whole: number]
                if expected.isHead {
                    if !expected.plays(number, at: turn, by: dice) { expected = Note() }
                    expected[.chance] = 100
                    expected[.cycle] = 0
                }
                #expect(frozen[step][whole: number] == expected)
            }
        }
        for step in loop.length..<max(loop.length, 32) { #expect(frozen[step] == notes[step]) }
    }

    @Test func `a frozen slot plays the same in every pass`() {
        var notes = SlotNotes()
        for step in 0..<16 { notes[step][whole: 4] = Note(.normal, [.chance: 50, .level: -6]) }
        let loop = TrackTime(whole: Loop(length: 16))
        let frozen = notes.frozen(on: .bass, in: loop, pass: 3, firstPass: 0, by: dice)
        #expect(frozen.count > 0 && frozen.count < 16)
        #expect(frozen.frozen(on: .bass, in: loop, pass: 8, firstPass: 0, by: Dice(seed: 9)) == frozen)
        #expect((0..<16).allSatisfy { frozen[$0].heads.isEmpty || frozen[$0][whole: 4][.level] == -6 })
    }

    @Test(arguments: Lens.allCases)
    func `resetting restores one value's default, on hidden steps too`(lens: Lens) {
        guard case .notes(let value) = lens.kind else { return }
        var random = SeededGenerator(seed: 8)
        var notes = SlotNotes()
        for step in 0..<32 { for note in 0..<12 { notes[step][whole: note] = .random(using: &random) } }
        let reset = notes.resetting(lens)
        for step in 0..<32 {
            for note in 0..<12 {
                var expected = notes[step][whole: note]
                expected[value] = Note()[value]
                #expect(reset[step][whole: note] == expected)
            }
        }
    }
}
