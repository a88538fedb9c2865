import Grid
import TestSupport
import Testing

@testable import Controllers

struct DeckTests {
    private func pad(_ column: Int, _ row: Int) -> PadPosition { PadPosition(column: column, row: row) }

    /// Touches as `down 4,2 0`, with the finger's number last.
    private func words(_ actions: [Deck.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .touch(let touch): "\(touch.phase) \(Int(touch.x)),\(Int(touch.y)) \(touch.id % 1000)"
            case .record(let isOn): "record \(isOn)"
            }
        }
    }

    private func deck(_ field: PadField = .eight, isBare: Bool = false) -> Deck {
        Deck(field, isBare: isBare, number: 0)
    }

    @Test func `a pad is a finger on its cell, and pads beside it move the finger`() {
        var deck = deck()
        #expect(words(deck.press(pad(0, 0))) == ["down 4,2 0"])
        #expect(words(deck.press(pad(1, 1))) == ["move 5,3 0"])
        #expect(words(deck.release(pad(0, 0))) == [])
        #expect(words(deck.press(pad(2, 1))) == ["move 6,3 0"])
        #expect(words(deck.release(pad(1, 1))) == [])
        #expect(words(deck.release(pad(2, 1))) == ["up 6,3 0"])
    }

    @Test func `a pad elsewhere is another finger`() {
        var deck = deck()
        #expect(words(deck.press(pad(0, 0))) == ["down 4,2 0"])
        #expect(words(deck.press(pad(2, 0))) == ["down 6,2 1"])
        #expect(words(deck.press(pad(0, 1))) == ["move 4,3 0"])
        #expect(words(deck.release(pad(2, 0))) == ["up 6,2 1"])
        #expect(words(deck.release(pad(0, 0)) + deck.release(pad(0, 1))) == ["up 4,3 0"])
    }

    @Test func `on the overview a finger stays in its zone, and pads of others are other fingers`() {
        var deck = deck()
        for _ in 0..<4 { #expect(words(deck.press(.down)) == []) }
        #expect(words(deck.press(pad(3, 0))) == ["down 7,22 0"])
        #expect(words(deck.press(pad(4, 0))) == ["move 8,22 0"])
        #expect(words(deck.press(pad(4, 1))) == ["down 17,22 1"])
        #expect(words(deck.press(pad(0, 6)) + deck.press(pad(0, 7))) == ["down 40,22 2"])
        #expect(words(deck.release(pad(3, 0)) + deck.release(pad(4, 0))) == ["up 8,22 0"])
    }

    @Test func `dark pads and pads that were not down do nothing`() {
        var deck = deck()
        _ = deck.press(.down) + deck.press(.down)
        #expect(words(deck.press(pad(0, 4)) + deck.release(pad(0, 4)) + deck.release(pad(3, 3))) == [])
    }

    @Test func `buttons are fingers on the grid's own controls, and turn pages`() {
        var deck = deck()
        #expect(words(deck.press(.play) + deck.release(.play)) == ["down 1,0 1", "up 1,0 1"])
        #expect(words(deck.press(.undo) + deck.release(.undo)) == ["down 4,0 2", "up 4,0 2"])
        #expect(words(deck.press(.redo) + deck.release(.redo)) == ["down 5,0 3", "up 5,0 3"])
        #expect(words(deck.press(.mute) + deck.release(.mute)) == ["down 0,2 4", "up 0,2 4"])
        #expect(words(deck.press(.down) + deck.release(.down)) == [])
        #expect(words(deck.press(.solo) + deck.release(.solo)) == ["down 1,8 5", "up 1,8 5"])
        #expect(words(deck.press(.lens) + deck.release(.lens)) == ["down 2,8 6", "up 2,8 6"])
        #expect(words(deck.press(.right) + deck.press(pad(0, 0))) == ["down 13,8 0"])
        #expect(words(deck.press(.left)) == ["cancel 13,8 0"])
    }

    // Stopped and playing, in safe colours too.
    @Test(arguments: [0xff8800, 0xff0088, 0xd8a000, 0x7040ff] as [UInt32])
    func `recording is toggled from the state that the grid shows`(armed: UInt32) {
        var deck = deck()
        var frame = Frame()
        deck.show(frame)
        #expect(words(deck.press(.record)) == ["record true"])
        #expect(deck.lights[.button(.record)] == Color(0x330000))
        frame[1, 0] = Color(armed)
        deck.show(frame)
        #expect(words(deck.press(.record)) == ["record false"])
        #expect(deck.lights[.button(.record)] == Color(0xff0000))
    }

    @Test func `without buttons, holding scenes 1 and 8 turns other pads into buttons`() {
        var deck = deck(isBare: true)
        deck.show(Frame())
        #expect(words(deck.press(pad(0, 7))) == ["down 40,22 0"])
        #expect(words(deck.press(pad(7, 7))) == ["cancel 40,22 0"])
        #expect(deck.lights[.pad(pad(0, 7))] == .white)
        #expect(words(deck.press(pad(2, 7))) == [])
        #expect(deck.page.firstStep == 8)
        #expect(words(deck.press(pad(5, 7)) + deck.release(pad(5, 7))) == ["down 1,0 1", "up 1,0 1"])
        #expect(words(deck.press(pad(6, 7))) == ["record true"])
        #expect(words(deck.press(pad(1, 6)) + deck.release(pad(1, 6))) == ["down 4,0 2", "up 4,0 2"])
        #expect(words(deck.press(pad(4, 6))) == ["down 1,2 3"])
        #expect(words(deck.release(pad(7, 7)) + deck.release(pad(0, 7))) == ["up 1,2 3"])
        #expect(words(deck.press(pad(7, 7)) + deck.release(pad(7, 7))) == ["down 43,23 1", "up 43,23 1"])
    }

    @Test func `a wide field without buttons has all of them in its last row`() {
        var deck = deck(PadField(columns: 16, rows: 8), isBare: true)
        _ = deck.press(pad(0, 7)) + deck.press(pad(7, 7))
        #expect(words(deck.press(pad(8, 7)) + deck.release(pad(8, 7))) == ["down 4,0 1", "up 4,0 1"])
        #expect(words(deck.press(pad(11, 7)) + deck.release(pad(11, 7))) == ["down 1,2 2", "up 1,2 2"])
    }

    @Test func `held touches are cancelled when the daemon or the controller goes`() {
        var deck = deck()
        _ = deck.press(pad(0, 0)) + deck.press(.play)
        #expect(Set(words(deck.cancelAll())) == ["cancel 4,2 0", "cancel 1,0 1"])
        #expect(words(deck.release(pad(0, 0)) + deck.release(.play)) == [])
    }

    @Test func `pads show their cells, and nothing without a picture`() {
        var deck = deck()
        #expect(!deck.lights.isEmpty && deck.lights.values.allSatisfy { $0 == Color(0) })
        var frame = Frame()
        frame[4, 2] = Color(0x123456)
        deck.show(frame)
        #expect(deck.lights[.pad(pad(0, 0))] == Color(0x123456))
        #expect(deck.lights[.pad(pad(1, 0))] == .background)
        #expect(deck.lights.count == 64 + 11)
    }

    @Test(arguments: 0..<20) func `whatever is pressed, every finger that comes down goes up or is cancelled, once`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var deck = Deck(PadField(columns: 16, rows: 16), isBare: Bool.random(using: &random), number: 3)
        var down: Set<Int> = []
        func check(_ actions: [Deck.Action]) {
            for case .touch(let touch) in actions {
                switch touch.phase {
                case .down: #expect(down.insert(touch.id).inserted)
                case .move: #expect(down.contains(touch.id))
                case .up, .cancel: #expect(down.remove(touch.id) != nil)
                }
            }
        }
        for _ in 0..<2000 {
            let pad = PadPosition(
                column: .random(in: -1...16, using: &random), row: .random(in: -1...16, using: &random))
            let shift = PadPosition(column: [0, 7].randomElement(using: &random) ?? 0, row: 15)
            let button = PadButton.allCases.randomElement(using: &random) ?? .play
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1, 2: check(deck.press(pad))
            case 3, 4: check(deck.release(pad))
            case 5: check(deck.press(button))
            case 6: check(deck.release(button))
            case 7: check(Bool.random(using: &random) ? deck.press(shift) : deck.release(shift))
            default: if Int.random(in: 0..<20, using: &random) == 0 { check(deck.cancelAll()) }
            }
        }
        check(deck.cancelAll())
        #expect(down.isEmpty)
    }
}
