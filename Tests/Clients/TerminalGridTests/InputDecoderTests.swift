import TestSupport
import Testing

@testable import TerminalGrid

struct InputDecoderTests {
    private func decode(_ bytes: some Sequence<UInt8>, flushing: Bool = true) -> [InputEvent] {
        var decoder = InputDecoder()
        var events = bytes.compactMap { decoder.decode($0) }
        if flushing, let last = decoder.flush() { events.append(last) }
        return events
    }

    private static let known: [(String, [InputEvent])] = [
        ("q", [.key(.character("q"))]),
        (" ", [.key(.character(" "))]),
        ("\u{1a}", [.key(.control("z"))]),
        ("\u{19}", [.key(.control("y"))]),
        ("\u{03}", [.key(.control("c"))]),
        ("\u{1c}", [.key(.control("\\"))]),
        ("\r", [.key(.enter)]),
        ("\t", [.key(.tab)]),
        ("\u{7f}", [.key(.backspace)]),
        ("\u{1b}", [.key(.escape)]),
        ("\u{1b}\u{1b}", [.key(.escape), .key(.escape)]),
        ("\u{1b}[A", [.key(.up)]),
        ("\u{1b}[B", [.key(.down)]),
        ("\u{1b}OA", [.key(.up)]),
        ("\u{1b}OD", [.key(.left)]),
        ("\u{1b}[3~", [.key(.delete)]),
        ("\u{1b}[H", [.key(.home)]), ("\u{1b}OF", [.key(.end)]), ("\u{1b}[1~", [.key(.home)]),
        ("\u{1b}[8~", [.key(.end)]), ("\u{1b}[Z", [.key(.backTab)]),
        (
            "\u{e9}\u{20ac}\u{1f39b}",
            [.key(.character("\u{e9}")), .key(.character("\u{20ac}")), .key(.character("\u{1f39b}"))]
        ),
        ("\u{1b}[97u", [.report(KeyReport(.press, .character("a"), place: "a"))]),
        ("\u{1b}[97::113;1:2u", [.report(KeyReport(.repetition, .character("a"), place: "q"))]),
        ("\u{1b}[97:65;2:3u", [.report(KeyReport(.release, .character("A"), place: "a", isShifted: true))]),
        ("\u{1b}[47:63;2u", [.report(KeyReport(.press, .character("?"), place: "/", isShifted: true))]),
        ("\u{1b}[99;5u", [.report(KeyReport(.press, .control("c"), place: "c"))]),
        ("\u{1b}[27u", [.report(KeyReport(.press, .escape))]),
        ("\u{1b}[13;1:3u", [.report(KeyReport(.release, .enter))]),
        ("\u{1b}[1;1:3A", [.report(KeyReport(.release, .up, place: nil))]),
        // Shift alone, Alt with a key.
        ("\u{1b}[57441;2:1u", []), ("\u{1b}[97;3u", []),
        ("\u{1b}[<0;1;1M", [.mouse(MouseEvent(.press, .left, column: 0, row: 0))]),
        ("\u{1b}[<32;88;24M", [.mouse(MouseEvent(.drag, .left, column: 87, row: 23))]),
        ("\u{1b}[<0;300;200m", [.mouse(MouseEvent(.release, .left, column: 299, row: 199))]),
        ("\u{1b}[<2;5;6M", [.mouse(MouseEvent(.press, .right, column: 4, row: 5))]),
        ("\u{1b}[<20;5;6M", [.mouse(MouseEvent(.press, .left, column: 4, row: 5))]),
        ("\u{1b}[<35;5;6M", [.mouse(MouseEvent(.move, nil, column: 4, row: 5))]),
        ("\u{1b}[MC!!", [.mouse(MouseEvent(.move, nil, column: 0, row: 0))]),
        ("\u{1b}[M !!", [.mouse(MouseEvent(.press, .left, column: 0, row: 0))]),
        ("\u{1b}[M#qq", [.mouse(MouseEvent(.release, nil, column: 80, row: 80))]),
    ]

    private static let dropped = [
        "\u{1b}[<64;5;6M", "\u{1b}[<0;0;0M", "\u{1b}[<0;5M", "\u{1b}[<;;M", "\u{1b}[<a",
        "\u{1b}[1;5A", "\u{1b}O5D", "\u{1b}O2R", "\u{1b}O1;5R",
        "\u{1b}[[A", "\u{1b}[[D",
        "\u{1b}[2~", "\u{1b}[201~",
        "\u{1b}[200~q \u{3}1\r\u{1b}[3~\u{1b}[201~", "\u{1b}[200~\u{1b}[20\u{1b}[201~",
        "\u{1b}[200~\u{1b}\u{1b}[201~", "\u{1b}[200~\u{1b}[<0;1;1M\u{e9}\u{1b}[201~",
        "\u{1b}q", "\u{1b}[?1;2c", "\u{1b}[<99999999999999999999;1;1M",
        "\u{1b}[" + String(repeating: "1;", count: 500) + "M",
    ]

    @Test(arguments: known)
    func `keys and mouse reports are recognised`(bytes: String, events: [InputEvent]) {
        #expect(decode(bytes.utf8) == events)
    }

    @Test(arguments: known)
    func `it does not matter where the stream is cut: one event follows the other`(bytes: String, events: [InputEvent])
    {
        for (other, otherEvents) in Self.known where !bytes.hasSuffix("\u{1b}") {
            #expect(decode((bytes + other).utf8) == events + otherEvents)
        }
    }

    @Test(arguments: dropped)
    func `unknown sequences are dropped whole and never turn into keys`(bytes: String) {
        #expect(decode(bytes.utf8) == [])
        #expect(decode((bytes + "q").utf8) == [.key(.character("q"))])
    }

    @Test func `a paste whose end does not come ends when it is flushed`() {
        var decoder = InputDecoder()
        for byte in "\u{1b}[200~1 q".utf8 { #expect(decoder.decode(byte) == nil) }
        #expect(decoder.isPending && decoder.isPasting)
        #expect(decoder.flush() == nil && !decoder.isPasting)
        #expect(decoder.decode(UInt8(ascii: "q")) == .key(.character("q")))
    }

    @Test func `an escape character is held back until it is clear that nothing follows`() {
        var decoder = InputDecoder()
        #expect(decoder.decode(0x1b) == nil)
        #expect(decoder.isPending)
        #expect(decoder.flush() == .key(.escape))
        #expect(!decoder.isPending)
        #expect(decoder.flush() == nil)
    }

    @Test(arguments: ["\u{1b}[<0;1", "\u{1b}[", "\u{1b}O"])
    func `a sequence that another one interrupts is dropped`(start: String) {
        #expect(decode((start + "\u{1b}[A").utf8) == [.key(.up)])
        #expect(decode((start + "\u{1a}").utf8).last != .key(.escape))
    }

    @Test func `bytes that are not UTF-8 are dropped`() {
        #expect(decode([0xff, 0xc0, 0x80, 0xe2, 0x28] as [UInt8]) == [.key(.character("("))])
        #expect(decode([0xed, 0xa0, 0x80, 0x71] as [UInt8]) == [.key(.character("q"))])
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `after any bytes, a flush and a key, the key is understood`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let likely = Array("\u{1b}[<;M0m~O3".utf8)
        var decoder = InputDecoder()
        for _ in 0..<2000 {
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let byte =
                    Bool.random(using: &random)
                    ? likely.randomElement(using: &random)! : .random(in: 0...255, using: &random)
                if case .mouse(let mouse) = decoder.decode(byte) {
                    #expect(mouse.column >= 0 && mouse.row >= 0)
                }
            }
            _ = decoder.flush()
            #expect(decoder.decode(UInt8(ascii: "q")) == .key(.character("q")))
        }
    }
}
