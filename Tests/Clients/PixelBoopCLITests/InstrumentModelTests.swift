import Grid
import Instrument
import Music
import PixelBoopClient
import TerminalGrid
import Testing
import Wire

@testable import pixelboop

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
        (.control("n"), .send([.newPattern])), (.character("n"), .none), (.character("r"), .none),
        (.character("i"), .send([.catchKeys])),
        (.character("q"), .quit), (.control("c"), .quit), (.escape, .none), (.character("w"), .none),
        (.backspace, .none), (.character("5"), .send([.scene(5)])),
    ])
    func `keys do what they say`(key: TerminalKey, reaction: InstrumentModel.Reaction) {
        var model = model()
        #expect(model.react(to: .key(key)) == reaction)
    }

    @Test func `L steps through the lenses of the track that is pointed at, F holds FILL, Z freezes`() {
        var model = model()
        #expect(model.react(to: .key(.character("l"))) == .none)
        var state = InstrumentState()
        for (key, lens) in [("l", Lens.level), ("L", .lfoDepth)] {
            model.state = state
            #expect(model.react(to: .key(.character(Character(key)))) == .send([.lens(.melody, lens)]))
        }
        state.lenses[.melody] = .lfoDepth
        state.isFilling = true
        model.state = state
        #expect(model.react(to: .key(.character("l"))) == .send([.lens(.melody, nil)]))
        #expect(model.react(to: .key(.character("f"))) == .send([.fill(false)]))
        #expect(model.react(to: .key(.character("z"))) == .send([.freeze(.melody)]))
    }

    @Test(arguments: [false, true])
    func `R starts or stops recording`(isRecording: Bool) {
        var model = model()
        var state = InstrumentState()
        state.transport.record = isRecording
        model.state = state
        #expect(model.react(to: .key(.character("r"))) == .send([.record(!isRecording)]))
    }

    @Test(arguments: [(TerminalKey.character("+"), 28), (.character("="), 28), (.character("-"), 26)])
    func `plus and minus tap the grid's own tempo buttons`(key: TerminalKey, column: Int) {
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

    @Test func `without a connection the mouse does not touch`() {
        var model = model()
        model.trouble = "no daemon"
        #expect(model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5))) == .none)
    }

    @Test func `a finger on the grid is cancelled when it may have been let go unseen`() {
        var model = model()
        _ = model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5)))
        #expect(model.liftFingers() == [.touch(Touch(id: 1, .cancel, column: 4, row: 5))])
        #expect(model.liftFingers().isEmpty)
    }

    @Test func `a finger of the mouse is cancelled when the help or a small terminal hides the grid`() {
        let press = InputEvent.mouse(MouseEvent(.press, .left, column: 8, row: 5))
        let cancel = InstrumentCommand.touch(Touch(id: 1, .cancel, column: 4, row: 5))
        var model = model()
        _ = model.react(to: press)
        #expect(model.react(to: .key(.character("?"))) == .send([cancel]))
        #expect(model.react(to: .mouse(MouseEvent(.release, .left, column: 8, row: 5))) == .none)
        _ = model.react(to: .key(.escape))
        _ = model.react(to: press)
        #expect(model.resize(to: TerminalSize(columns: 90, rows: 26)).isEmpty)
        #expect(model.resize(to: TerminalSize(columns: 40, rows: 10)) == [cancel])
    }

    @Test func `Escape cancels the mouse's finger and the keyboard's`() {
        var model = model()
        _ = model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5)))
        #expect(model.react(to: .key(.escape)) == .send([.touch(Touch(id: 1, .cancel, column: 4, row: 5))]))
        #expect(model.react(to: .mouse(MouseEvent(.release, .left, column: 8, row: 5))) == .none)
        _ = model.react(to: .key(.enter))
        _ = model.react(to: .key(.character("h")))
        #expect(model.react(to: .key(.escape)) == .send([.touch(Touch(id: Cursor.id, .cancel, column: 4, row: 5))]))
        #expect(model.react(to: .key(.escape)) == .none)
    }

    @Test func `fingers end with their connection`() {
        let press = InputEvent.mouse(MouseEvent(.press, .left, column: 8, row: 5))
        let hold = InputEvent.key(.character("h"))
        var model = model()
        _ = model.react(to: hold)
        #expect(model.react(to: hold) == .send([.touch(Touch(id: 3, .down, column: 4, row: 7))]))
        _ = model.react(to: press)
        model.trouble = "no daemon"
        model.trouble = nil
        #expect(model.react(to: hold) == .send([.touch(Touch(id: 3, .down, column: 4, row: 7))]))
        #expect(model.react(to: press) == .send([.touch(Touch(id: 1, .down, column: 4, row: 5))]))
    }

    @Test func `the cell under the mouse is named, and after a key the cursor's`() {
        var model = model()
        model.labels[4, 7] = "C#"
        _ = model.react(to: .mouse(MouseEvent(.move, nil, column: 1, row: 3)))
        #expect(line(25, of: model.screen).hasPrefix("Melody, mute  Space play"))
        _ = model.react(to: .mouse(MouseEvent(.move, nil, column: 9, row: 7)))
        #expect(line(25, of: model.screen).hasPrefix("Melody, C sharp, step 1  "))
        _ = model.react(to: .mouse(MouseEvent(.move, nil, column: 9, row: 25)))
        #expect(line(25, of: model.screen).hasPrefix("Space play"))
        _ = model.react(to: .key(.down))
        _ = model.react(to: .key(.down))
        #expect(line(25, of: model.screen).hasPrefix("Chords, A sharp or B, step 1  "))
        #expect(model.screen[8, 8].character == "[" && model.screen[9, 8].character == "]")
        _ = model.react(to: .mouse(MouseEvent(.press, .left, column: 20, row: 20)))
        #expect(model.screen[8, 8].character == " " && !model.cursor.isShown)
    }

    @Test func `in half-blocks the cursor is an arrowhead, and a long name is cut`() {
        var model = model(columns: 44, rows: 14)
        _ = model.react(to: .key(.tab))
        #expect(model.screen[4, 3].character == "v")
        for _ in 0..<3 { _ = model.react(to: .key(.tab)) }
        #expect(model.screen[4, 9].character == "^")
        #expect(line(13, of: model.screen) == "Rhythm, crash or ride or cowbell, step 1")
    }

    @Test func `N shows or hides names on the notes, which the safe colours show by default`() {
        var model = model()
        model.frame = Frame(filledWith: .white)
        model.labels[5, 20] = "SD"
        #expect(line(20, of: model.screen).isEmpty)
        _ = model.react(to: .key(.character("n")))
        #expect(model.screen[10, 20] == Glyph("S", foreground: Color(0), background: .white))
        #expect(model.screen[11, 20].character == "D")
        _ = model.react(to: .key(.character("n")))
        #expect(line(20, of: model.screen).isEmpty)
        var safe = self.model(.display)
        safe.labels[5, 20] = "SD"
        var state = InstrumentState()
        state.settings.set(.colors, to: .choice(ColorMode.safe))
        safe.state = state
        #expect(line(20, of: safe.screen) == "          SD")
        _ = safe.react(to: .key(.character("n")))
        #expect(line(20, of: safe.screen).isEmpty)
    }

    @Test(arguments: [(88, 26), (44, 14), (44, 12), (60, 20), (300, 80)])
    func `a question mark shows all gestures and keys, and any key closes the help`(columns: Int, rows: Int) {
        var model = model(columns: columns, rows: rows)
        var shown: [String] = []
        repeat {
            _ = model.react(to: .key(.character("?")))
            if model.helpPage != nil { shown += (0..<rows).map { line($0, of: model.screen) } }
        } while model.helpPage != nil
        for text in HelpText.gestures + HelpText.keys { #expect(shown.contains { $0.contains(text) }, "\(text)") }
        _ = model.react(to: .key(.character("?")))
        #expect(model.react(to: .key(.character(" "))) == .none && model.helpPage == nil)
        #expect(model.react(to: .key(.character(" "))) == .send([.toggle]))
        _ = model.react(to: .key(.character("?")))
        #expect(model.react(to: .mouse(MouseEvent(.press, .left, column: 8, row: 5))) == .none)
        #expect(model.helpPage == nil)
        #expect(HelpText.gestures.allSatisfy { $0.count < HelpText.width })
        #expect(HelpText.keys.allSatisfy { $0.count <= HelpText.width })
    }

    @Test func `the grid is shown cell by cell, the status below`() {
        var model = model()
        var frame = Frame()
        frame[43, 23] = .white
        model.frame = frame
        var state = InstrumentState()
        state.transport = TransportStatus(state: .playing, step: 11)
        state.settings.set(.length, to: 16)
        state.audio = AudioState(status: .running, rate: 48_000, period: 64)
        model.state = state
        model.xruns = 1
        let screen = model.screen
        #expect(screen[86, 23].background == .white && screen[87, 23].background == .white)
        #expect(screen[85, 23].background == .background)
        #expect(line(24, of: screen) == "PLAYING 12/16  120 BPM  C MAJOR  SCENE 1  1 XRUN")
        #expect(
            line(25, of: screen)
                == "Space play  arrows, Enter tap  h hold  d drag  k keys  r record  ? help  q quit")
    }

    @Test(arguments: [44, 50, 60, 70])
    func `a narrow terminal gets fewer words, but still how to quit`(columns: Int) {
        var model = model(columns: columns, rows: 20)
        var state = InstrumentState()
        state.transport = TransportStatus(state: .playing, step: 31)
        state.audio = AudioState(status: .running, rate: 48_000, period: 256)
        model.state = state
        let bottom = model.placement!.bottom
        let status = line(bottom, of: model.screen).drop { $0 == " " }
        for word in ["PLAYING 32/32", "120 BPM", "C MAJOR", "SCENE 1"] { #expect(status.contains(word)) }
        let keys = line(bottom + 1, of: model.screen).drop { $0 == " " }
        #expect(keys.hasPrefix("Space play") && keys.hasSuffix("q quit"))
    }

    @Test func `scene, open lenses and what is wrong with the sound are in the line of the status`() {
        var model = model()
        var state = InstrumentState()
        state.audio = AudioState(status: .running, rate: 48_000, period: 64)
        state.lenses[.bass] = .tone
        model.state = state
        #expect(line(24, of: model.screen) == "STOPPED        120 BPM  C MAJOR  SCENE 1  BASS: TONE")
        state.slots[1].playing = 3
        state.audio = AudioState(status: .lost)
        model.state = state
        #expect(line(24, of: model.screen) == "STOPPED        120 BPM  C MAJOR  MIXED SCENES  BASS: TONE  JACK LOST")
    }

    @Test(arguments: [(88, ""), (92, "C"), (106, "Chords")])
    func `tracks are named in the free margin, as far as there is one`(columns: Int, name: String) {
        let model = model(columns: columns)
        let margin = (0..<model.placement!.column).map { String(model.screen[$0, 10].character) }.joined()
        #expect(margin.trimmingSuffix { $0 == " " }.drop { $0 == " " } == name)
    }

    @Test(arguments: [(120, 40), (200, 60), (100, 30)])
    func `hints and help begin at the grid's left edge`(columns: Int, rows: Int) throws {
        var model = model(columns: columns, rows: rows)
        let placement = try #require(model.placement)
        let hints = line(placement.bottom + 1, of: model.screen)
        #expect(hints.prefix { $0 == " " }.count == placement.column && hints.hasSuffix("q quit"))
        _ = model.react(to: .key(.character("?")))
        let first = line(placement.row, of: model.screen)
        #expect(first.prefix { $0 == " " }.count == placement.column && first.contains(HelpText.gestures[0]))
    }

    @Test func `in a window that is too small N says how large it must be for names`() {
        var small = model(columns: 60, rows: 20)
        _ = small.react(to: .key(.character("n")))
        #expect(small.notice == "Names need a window of 88x26")
        _ = small.react(to: .key(.character("n")))
        #expect(small.notice == nil)
        var large = model()
        _ = large.react(to: .key(.character("n")))
        #expect(large.notice == nil)
    }

    @Test func `trouble is shown, and the last picture is dimmed`() {
        var model = model()
        model.frame = Frame(filledWith: .white)
        model.trouble = "no daemon: trying again in 0.5 s"
        #expect(line(25, of: model.screen) == "no daemon: trying again in 0.5 s")
        let color = model.screen[0, 0].background
        #expect(color != .white && color != .background)
    }

    @Test func `a refusal is shown until the next key, with the picture as bright as ever`() {
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
    func `the grid has priority over the lines below it, down to half-blocks alone`(
        columns: Int, rows: Int, style: CellStyle
    ) {
        #expect(model(columns: columns, rows: rows).placement?.style == style)
    }

    @Test func `in a terminal that is too small it says how large it must be`() {
        let model = model(columns: 43, rows: 40)
        #expect(line(0, of: model.screen) == "needs 44x12")
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        String(reversed().drop(while: predicate).reversed())
    }
}
