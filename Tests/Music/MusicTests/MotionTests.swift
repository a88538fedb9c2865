import Music
import TestSupport
import Testing

@Suite struct MotionTests {
    @Test func `the table names the parameters that can move, with ranges that they allow`() {
        #expect(Parameter.movable == [.gain, .pan, .tone, .reverb, .delay, .width, .filter, .drive, .lfoDepth])
        for parameter in Parameter.movable {
            #expect(parameter.row.scope == .everyTrack)
            for end in [parameter.row.motion!.lowerBound, parameter.row.motion!.upperBound] {
                #expect(parameter.row.kind(on: .bass).checked(.number(end)) != nil)
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `points are in order, one per step, and equal however they were written`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var motions = Motions()
        var model: [Parameter: [Int: Double]] = [:]
        for _ in 0..<200 {
            let parameter = Parameter.movable.randomElement(using: &random)!
            let step = Int.random(in: 0..<32, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                motions.clear(parameter)
                model[parameter] = [:]
            case 1..<6:
                motions[parameter, step] = nil
                model[parameter, default: [:]][step] = nil
            default:
                let value = Double.random(in: parameter.row.motion!, using: &random)
                motions[parameter, step] = value
                model[parameter, default: [:]][step] = value
            }
        }
        var same = Motions()
        for parameter in Parameter.movable {
            let points = model[parameter, default: [:]].sorted { $0.key < $1.key }
            #expect(motions[parameter] == points.map { .init(step: $0.key, value: $0.value) })
            for (step, value) in points.reversed() { same[parameter, step] = value }
        }
        #expect(same == motions)
        #expect(motions.parameters == Parameter.movable.filter { model[$0]?.isEmpty == false })
        for parameter in Parameter.movable { same.clear(parameter) }
        #expect(same.isEmpty && same == Motions())
    }

    @Test func `lines between points are straight, wrap around the loop, and ignore hidden points`() {
        var motions = Motions()
        #expect(motions.value(.tone, at: 3, length: 8) == nil)
        motions[.tone, 20] = 24
        #expect(motions.value(.tone, at: 3, length: 8) == nil)
        motions[.tone, 2] = 5
        for step in [0, 1.5, 2, 7.9] { #expect(motions.value(.tone, at: step, length: 8) == 5) }
        motions[.tone, 6] = -3
        let line = [(2.0, 5.0), (3, 3), (4.5, 0), (6, -3), (7, -1), (0, 1), (1, 3), (1.5, 4)]
        for (step, value) in line { #expect(motions.value(.tone, at: step, length: 8) == value) }
    }

    @Test func `motions are copied, cleared and undone with their slot, but do not fill it`() {
        var document = Document()
        let slot = Slot(.bass, 3)
        var notes = SlotNotes()
        notes.motions[.gain, 4] = -6
        document.apply(.edit([slot: notes]))
        #expect(!document.pattern.isFilled(slot) && document.pattern.restingSlots == [slot])
        document.apply(.copy(.track(.bass), from: 3, to: 5, in: document.pattern))
        #expect(document.pattern[Slot(.bass, 5)].motions[.gain, 4] == -6)
        document.apply(.edit([slot: SlotNotes()]))
        #expect(document.pattern[slot].motions.isEmpty)
        document.apply(.undo)
        #expect(document.pattern[slot].motions == notes.motions)
        document.apply(.undo)
        document.apply(.undo)
        #expect(document.pattern == Pattern())
    }
}

@Suite struct TrackTimePositionTests {
    @Test("A count's fraction is 0 at its start, and rises linearly to the next", arguments: Speed.allCases)
    func lines(_ speed: Speed) {
        for (length, swing) in [(16, 0.5), (16, 0.66), (7, 0.75)] {
            let whole = Loop(length: length, origin: 5)
            let grid = SongGrid(swing: swing, loop: whole)
            let time = TrackTime(length: nil, speed: speed, whole: whole)
            func count(at place: SongPlace) -> Double {
                time.count(at: grid.place(at: grid.position(of: place.songStep, part: place.part)))
            }
            for number in Int64(-80)...80 {
                #expect(abs(count(at: time.place(of: number)) - Double(number)) < 1e-9)
                for part in [-50, 25, 90] as [Int64] {
                    let moved = count(at: time.place(of: number, moved: part, of: 100))
                    #expect(abs(moved - Double(number) - Double(part) / 100) < 1e-9)
                }
            }
        }
    }
}
