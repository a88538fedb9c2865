import Gestures
import Grid
import Music
import TestSupport
import Testing

/// Touches with times of their own mean the same however late they arrive.
@Suite struct LatenessTests {
    @Test func `a tap whose lift arrives late is no accent, and the announced accent is withdrawn`() {
        var rig = Rig()
        rig.play("0 down s2,5\n300 up", late: [0, 300])
        expect(.melody, "E4 ..o", in: rig)
        #expect(rig.texts == ["ACCENT!", "E4"])
        #expect(rig.actions.contains(.withdrawTooltip(Tooltip(text: "ACCENT!", row: 8))))
    }

    @Test func `a hold whose down arrived late is an accent`() {
        var rig = Rig()
        rig.play("0 down s2,5\n450 up", late: [400, 0])
        expect(.melody, "E4 ..X", in: rig)
        #expect(rig.texts == ["ACCENT!"])
        #expect(rig.haptics == [.heavy])
    }

    @Test func `a drag that began before the hold was complete is not a held drag`() {
        var rig = Rig()
        rig.play("0 down s0,5\n350 move s1,5\n370 move s2,5\n390 up", late: [0, 200, 200, 200])
        #expect(rig.texts == ["ACCENT!", "ARPEGGIO"])
        #expect(rig.actions.contains { if case .withdrawTooltip = $0 { true } else { false } })
        expect(.melody, "G4 ..o\nF4 .o\nE4 o", in: rig)
    }

    @Test func `a client's clock is trusted within half a second`() {
        var rig = Rig()
        rig.play("0 down s2,5\n2000 up", late: [0, -2000])
        expect(.melody, "E4 ..X", in: rig)
        rig = Rig()
        rig.play("0 down 41,0\n6000 up", late: [0, -6000])
        #expect(rig.texts == ["HOLD"])
        rig = Rig()
        rig.play("0 down s2,5\n0 up", late: [0, 901])
        expect(.melody, "E4 ..X", in: rig)
    }

    @Test func `a clock that goes back counts as stopped`() {
        var rig = Rig()
        rig.play("500 down s2,5\n100 up", late: [0, 500])
        expect(.melody, "E4 ..o", in: rig)
    }

    @Test(arguments: ["0,0", "1,0", "27,0", "41,0", "40,3", "26,0"])
    func `a hold takes effect only with a message from its client`(place: String) {
        var punctual = Rig("C", .major, [.melody: "E4 o"])
        punctual.play("0 down \(place)\n700 up")
        var rig = Rig("C", .major, [.melody: "E4 o"])
        rig.play("0 down \(place)", late: [0])
        rig.forgetActions()
        rig.wait(3000)
        #expect(rig.actions.isEmpty)

        rig = Rig("C", .major, [.melody: "E4 o"])
        rig.play("0 down \(place)\n700 move \(place)\n750 up", late: [0, 0, 0])
        #expect(rig.texts == punctual.texts)
        #expect(rig.document == punctual.document)
        #expect(rig.isRecording == punctual.isRecording)
    }

    @Test func `one client's messages do not affect another's fingers`() {
        var rig = Rig("C", .major, [.melody: "E4 o"])
        rig.play("0 down 41,0\n0 2a down s4,7\n700 2a move s4,7", late: [0, 0, 0])
        #expect(!rig.cells.isEmpty)
        rig.play("700 move 41,0", late: [-700])
        #expect(rig.cells.isEmpty)
    }

    // MARK: At random

    /// A random tap, hold, double tap or drag, as a timeline that starts at this time.
    private func gesture(at start: Int, _ generator: inout SeededGenerator) -> (timeline: String, end: Int) {
        let column = ["s2", "s9", "s30"].randomElement(using: &generator)!
        let note = "\(column),\(Int.random(in: 2...21, using: &generator))"
        let place = [note, note, note, "41,0", "1,0", "0,0", "27,0", "31,0", "42,4", "41,22", "10,1", "14,22"]
            .randomElement(using: &generator)!
        let tap = Int.random(in: 50...350, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return rest(place, at: start, for: Int.random(in: 420...900, using: &generator))
        case 1:
            let (first, second) = (rest(place, at: start, for: 60), rest(place, at: start + 150, for: 60))
            return (first.timeline + "\n" + second.timeline, second.end)
        case 2:
            let moves = (1...4).map { "\(start + 20 * $0) move \(6 + 3 * $0),5" }.joined(separator: "\n")
            return ("\(start) down 6,5\n\(moves)\n\(start + 100) up", start + 100)
        default: return rest(place, at: start, for: tap)
        }
    }

    /// A resting finger is reported again every 100 ms.
    private func rest(_ place: String, at start: Int, for length: Int) -> (timeline: String, end: Int) {
        let words = stride(from: 100, to: length, by: 100).map { "\(start + $0) move \(place)\n" }.joined()
        return ("\(start) down \(place)\n\(words)\(start + length) up", start + length)
    }

    @Test(arguments: 0..<UInt64(20))
    func `none of a thousand gestures that arrive up to 400 ms late becomes another`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (punctual, late) = (Rig(), Rig())
        for _ in 0..<50 {
            var (lines, end) = ("", 0)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let next = gesture(at: end + Int.random(in: 20...600, using: &generator), &generator)
                lines += (lines.isEmpty ? "" : "\n") + next.timeline
                end = next.end
            }
            let count = lines.split(separator: "\n").count
            let delays = (0..<count).map { _ in
                Int.random(in: 0..<10, using: &generator) < 3 ? Int.random(in: 0...400, using: &generator) : 0
            }
            punctual.forgetActions()
            late.forgetActions()
            punctual.play(lines, late: Array(repeating: 0, count: count))
            late.play(lines, late: delays)
            #expect(late.document == punctual.document, "seed \(seed): \(lines) \(delays)")
            #expect(late.outcomes == punctual.outcomes, "seed \(seed): \(lines) \(delays)")
            #expect(late.commands == punctual.commands, "seed \(seed): \(lines) \(delays)")
            let pause = [1000, 1000, 15_000].randomElement(using: &generator)!
            punctual.wait(pause)
            late.wait(pause)
            // Keeps their clocks equal.
            let ahead = late.now - punctual.now
            punctual.wait(Int(ahead / .milliseconds(1)))
        }
    }
}
