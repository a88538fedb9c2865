import Grid
import Music
import TerminalGrid
import Testing

@testable import pixelboop

/// Keys that hold punch-ins in the terminal.
struct PunchKeysTests {
    private let model = InstrumentModel(mode: .instrument, size: TerminalSize(columns: 88, rows: 26))

    private func report(_ action: KeyReport.Action, _ place: Character, isShifted: Bool = false) -> InputEvent {
        let character = isShifted ? Character(place.uppercased()) : place
        return .report(KeyReport(action, .character(character), place: place, isShifted: isShifted))
    }

    private func words(_ reaction: InstrumentModel.Reaction) -> [String] {
        guard case .send(let commands) = reaction else { return [] }
        return commands.map { command in
            guard case .touch(let touch) = command else { return "?" }
            return "\(touch.phase) \(Int(touch.x)),\(Int(touch.y)) \(touch.id)"
        }
    }

    @Test(arguments: [("x", 10, 8), ("c", 11, 14), ("v", 12, 26), ("b", 13, 38)] as [(Character, Int, Int)])
    func `a key is a finger on its zone that holds at once, until it is released`(key: Character, id: Int, column: Int)
    {
        var model = model
        #expect(
            words(model.react(to: report(.press, key))) == ["down \(column - 1),22 \(id)", "move \(column),22 \(id)"])
        #expect(model.react(to: report(.repetition, key)) == .none)
        #expect(words(model.react(to: report(.release, key))) == ["up \(column),22 \(id)"])
        #expect(model.react(to: report(.release, key)) == .none)
    }

    @Test func `with Shift it acts on rhythm alone, whichever key is released first`() {
        var model = model
        #expect(words(model.react(to: report(.press, "c", isShifted: true))) == ["down 13,23 15", "move 14,23 15"])
        #expect(words(model.react(to: report(.release, "c"))) == ["up 14,23 15"])
    }

    @Test func `a key and the same with Shift are two fingers, so that the older one's end is not the newer one's`() {
        let fingers = "xcvb".flatMap { place in
            [false, true].compactMap { PunchKey(at: place, isShifted: $0)?.release.id }
        }
        #expect(fingers.count == 8 && Set(fingers).count == 8)
    }

    @Test func `Escape lets go of all, and a lost daemon forgets them`() {
        var model = model
        _ = model.react(to: report(.press, "x"))
        _ = model.react(to: report(.press, "b"))
        #expect(words(model.react(to: .key(.escape))) == ["up 8,22 10", "up 38,22 13"])
        _ = model.react(to: report(.press, "x"))
        model.trouble = "gone"
        #expect(model.react(to: report(.release, "x")) == .none)
        model.trouble = nil
        #expect(model.react(to: .key(.escape)) == .none)
    }

    @Test func `where releases are not reported a key holds for a while, and on while it repeats`() throws {
        var model = model
        let key = try #require(PunchKey(at: "v", isShifted: true))
        #expect(model.react(to: .key(.character("V"))) == .send([.strikePunchIn(key)]))
        var strikes = KeyStrikes<PunchKey>()
        let (start, length) = (ContinuousClock.now, Duration.seconds(PunchKeys.strike))
        let presses = [0, 500, 530, 560].map { time in
            strikes.strike(key, at: start + .milliseconds(time), lasting: length, isHeldOn: true)
        }
        #expect(presses == [true, false, false, false])
        let isOver = [700, 1259, 1260].map { strikes.isOver(key, at: start + .milliseconds($0)) }
        #expect(isOver == [false, false, true])
    }
}
