import Instrument
import Music
import PixelBoopClient
import TerminalGrid
import Testing
import Wire

@testable import pixelboop

/// The computer's keyboard as the keys of a track.
struct KeyHandTests {
    private static let minor = Key(root: PitchClass(9), scale: .minor)

    private func model() -> InstrumentModel {
        var model = InstrumentModel(mode: .instrument, size: TerminalSize(columns: 88, rows: 26))
        model.state = InstrumentState()
        #expect(model.react(to: .key(.character("k"))) == .none)
        return model
    }

    private func report(_ action: KeyReport.Action, _ character: Character, isShifted: Bool = false) -> InputEvent {
        .report(
            KeyReport(
                action, .character(isShifted ? Character(character.uppercased()) : character), place: character,
                isShifted: isShifted))
    }

    @Test func `the home row plays the notes of the key, and of the drums 0 to 5, the row above the others`() {
        let notes = KeyHand.homeRow.map { KeyHand.key(at: $0, on: .bass, Self.minor)?.key }
        #expect(notes == [36, 38, 40, 41, 43, 45, 47, nil, nil])
        #expect(KeyHand.upperRow.allSatisfy { KeyHand.key(at: $0, on: .bass, Self.minor) == nil })
        let drums = (KeyHand.homeRow + KeyHand.upperRow).compactMap { KeyHand.key(at: $0, on: .rhythm, Self.minor) }
        #expect(drums == (0..<12).map { PlayedKey(.rhythm, note: $0) })
    }

    @Test func `without releases a key lasts a step, with Shift as an accent, until Escape`() {
        var model = model()
        model.state?.sync.bpm = 120
        let key = PlayedKey(.melody, note: 0)
        #expect(
            model.react(to: .key(.character("a"))) == .send([.strike(key, velocity: 64, seconds: 0.125)]))
        #expect(
            model.react(to: .key(.character("A"))) == .send([.strike(key, velocity: 112, seconds: 0.125)]))
        // R, F and Q play, or do nothing; Space and digits keep their meaning.
        for character in "rfq" { #expect(model.react(to: .key(.character(character))) != .quit) }
        #expect(model.react(to: .key(.character(" "))) == .send([.toggle]))
        #expect(model.react(to: .key(.escape)) == .none)
        #expect(model.react(to: .key(.character("q"))) == .quit)
    }

    @Test func `where releases are reported a key lasts until its own, or until Escape`() {
        var model = model()
        let (first, second) = (PlayedKey(.melody, note: 0), PlayedKey(.melody, note: 2))
        #expect(model.react(to: report(.press, "a")) == .send([.press(first, velocity: 64)]))
        #expect(model.react(to: report(.repetition, "a")) == .none)
        #expect(model.react(to: report(.press, "s", isShifted: true)) == .send([.press(second, velocity: 112)]))
        #expect(model.react(to: report(.release, "a")) == .send([.release(first)]))
        #expect(model.react(to: report(.release, "a")) == .none)
        #expect(model.react(to: .report(KeyReport(.press, .escape))) == .send([.release(second)]))
        // The release of what closed the mode comes late, and means nothing.
        #expect(model.react(to: .report(KeyReport(.release, .escape))) == .none)
    }

    @Test func `keys are asked to report releases where they play`() {
        let size = TerminalSize(columns: 88, rows: 26)
        #expect(InstrumentModel(mode: .instrument, size: size).wantsKeyReports)
        #expect(!InstrumentModel(mode: .display, size: size).wantsKeyReports)
    }

    @Test func `a key that repeats is held on, and struck again only by a finger`() {
        var strikes = KeyStrikes<PlayedKey>()
        let (key, start, step) = (PlayedKey(.bass, note: 0), ContinuousClock.now, Duration.milliseconds(125))
        func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
        let isPressed = strikes.strike(key, at: time(0), lasting: step)
        let isOverEarly = strikes.isOver(key, at: time(100))
        let repeats = (1...4).map { strikes.strike(key, at: time(30 * $0), lasting: step) }
        let isOverMeanwhile = strikes.isOver(key, at: time(130))
        let isOver = strikes.isOver(key, at: time(245))
        #expect(isPressed && !isOverEarly && repeats == [false, false, false, false] && !isOverMeanwhile && isOver)
        let isPressedAgain = strikes.strike(key, at: time(400), lasting: step)
        let isStruckAgain = strikes.strike(key, at: time(510), lasting: step)
        #expect(isPressedAgain && isStruckAgain)
    }
}
