import Grid
import Music
import PixelBoopClient
import TerminalGrid
import Testing
import Wire

@testable import pixelboop

/// The instrument in a terminal.
struct InstrumentModelTests {
    private func model(_ mode: InstrumentModel.Mode = .instrument, columns: Int = 88, rows: Int = 26) -> InstrumentModel
    {
        InstrumentModel(mode: mode, size: TerminalSize(columns: columns, rows: rows))
    }

    private func line(_ row: Int, of screen: Screen) -> String {
        String((0..<screen.size.columns).map { screen[$0, row].character }).trimmingSuffix { $0 == " " }
    }

    @Test(arguments: [
        (TerminalKey.character(" "), InstrumentModel.Reaction.send([.toggle])),
        (.control("z"), .send([.undo])), (.control("y"), .send([.redo])), (.delete, .send([.clear])),
        (.character("q"), .quit), (.control("c"), .quit), (.escape, .none), (.character("x"), .none),
        (.backspace, .none),
    ])
    func `keys do what they say`(key: TerminalKey, reaction: InstrumentModel.Reaction) {
        var model = model()
        #expect(model.react(to: .key(key)) == reaction)
    }

    @Test(arguments: [(TerminalKey.up, 28), (.down, 26)])
    func `up and down tap the grid's own tempo buttons`(key: TerminalKey, column: Int) {
        var model = model()
        let touches = [TouchPhase.down, .up].map {
            InstrumentCommand.touch(Touch(id: 2, $0, column: column, row: 0))
        }
        #expect(model.react(to: .key(key)) == .send(touches))
    }

    @Test func `a display only quits`() {
        var model = model(.display)
        #expect(model.react(to: .key(.character(" "))) == .none)
        #expect(model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5))) == .none)
        #expect(model.react(to: .key(.character("q"))) == .quit)
    }

    @Test func `without a connection the mouse is no finger`() {
        var model = model()
        model.trouble = "no daemon"
        #expect(model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5))) == .none)
    }

    @Test func `a finger on the grid is cancelled when it may have been let go unseen`() {
        var model = model()
        _ = model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5)))
        #expect(model.liftFinger() == [.touch(Touch(id: 1, .cancel, column: 4, row: 5))])
        #expect(model.liftFinger().isEmpty)
    }

    @Test func `the grid is shown cell by cell, the status below`() {
        var model = model()
        var frame = Frame()
        frame[43, 23] = .white
        model.frame = frame
        var state = InstrumentState()
        state.transport = TransportState(state: .playing, step: 11)
        state.settings.set(.length, to: 16)
        state.audio = AudioState(status: .running, rate: 48_000, period: 64)
        model.state = state
        model.xruns = 1
        let screen = model.screen
        #expect(screen[86, 23].background == .white && screen[87, 23].background == .white)
        #expect(screen[85, 23].background == .background)
        #expect(line(24, of: screen) == "PLAYING 12/16  120 BPM  C MAJOR  JACK 48000/64  1 XRUN")
        #expect(line(25, of: screen) == "Space play  1-8 scene  ^Z undo  ^Y redo  Del clear  Up/Down tempo  q quit")
    }

    @Test(arguments: [44, 50, 60, 70])
    func `a narrow terminal gets fewer words, and how to quit all the same`(columns: Int) {
        var model = model(columns: columns, rows: 20)
        var state = InstrumentState()
        state.transport = TransportState(state: .playing, step: 31)
        state.audio = AudioState(status: .running, rate: 48_000, period: 256)
        model.state = state
        let bottom = model.placement!.bottom
        let status = line(bottom, of: model.screen).drop { $0 == " " }
        for word in ["PLAYING 32/32", "120 BPM", "C MAJOR", "JACK", "0 XRUNS"] { #expect(status.contains(word)) }
        let keys = line(bottom + 1, of: model.screen).drop { $0 == " " }
        #expect(keys.hasPrefix("Space play") && keys.hasSuffix("q quit"))
    }

    @Test func `trouble is told, and the last picture is dimmed`() {
        var model = model()
        model.frame = Frame(filledWith: .white)
        model.trouble = "no daemon: trying again in 0.5 s"
        #expect(line(25, of: model.screen) == "no daemon: trying again in 0.5 s")
        let color = model.screen[0, 0].background
        #expect(color != .white && color != .background)
    }

    @Test func `a refusal is told until the next key, with the picture as bright as ever`() {
        var model = model()
        model.frame = Frame(filledWith: .white)
        model.notice = "no JACK server"
        #expect(line(25, of: model.screen) == "no JACK server")
        #expect(model.screen[0, 0].background == .white)
        _ = model.react(to: .key(.escape))
        #expect(line(25, of: model.screen).hasPrefix("Space play"))
    }

    @Test(arguments: [
        (88, 26, CellStyle.twoColumns), (88, 24, .halfBlocks), (44, 14, .halfBlocks), (44, 12, .halfBlocks),
    ])
    func `the grid is kept before the lines below it, down to half-blocks alone`(
        columns: Int, rows: Int, style: CellStyle
    ) {
        #expect(model(columns: columns, rows: rows).placement?.style == style)
    }

    @Test func `a terminal that is too small is told how large it must be`() {
        let model = model(columns: 43, rows: 40)
        #expect(line(0, of: model.screen) == "44x12 needed")
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        String(reversed().drop(while: predicate).reversed())
    }
}
