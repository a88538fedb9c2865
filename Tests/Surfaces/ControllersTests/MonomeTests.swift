import Grid
import OSC
import TestSupport
import Testing

@testable import Controllers

struct MonomeTests {
    @Test func `a grid gets our address, and is asked for its size`() {
        #expect(
            MonomeProtocol.greeting(answerTo: 5000) == [
                OSCMessage("/sys/port", .integer(5000)), OSCMessage("/sys/host", .string("127.0.0.1")),
                OSCMessage("/sys/prefix", .string("/pixelboop")),
                OSCMessage("/sys/info", .string("127.0.0.1"), .integer(5000)),
            ])
        #expect(
            MonomeProtocol.list(answerTo: 5000)
                == OSCMessage("/serialosc/list", .string("127.0.0.1"), .integer(5000)))
    }

    private static let events: [(OSCMessage, MonomeProtocol.Event?)] = [
        (
            OSCMessage("/serialosc/device", .string("m1"), .string("monome 64"), .integer(14_000)),
            .device(id: "m1", port: 14_000)
        ),
        (OSCMessage("/serialosc/add", .string("m1"), .string("monome 64"), .integer(9)), .added(id: "m1", port: 9)),
        (OSCMessage("/serialosc/device", .string("m1"), .string("monome 64"), .integer(-1)), nil),
        (OSCMessage("/serialosc/device", .string("m2"), .string("monome arc 4"), .integer(9)), nil),
        (OSCMessage("/serialosc/add", .string("m2"), .string("monome arc"), .integer(9)), .addedOther),
        (OSCMessage("/serialosc/remove", .string("m1"), .string("monome 64"), .integer(9)), .removed(port: 9)),
        (OSCMessage("/serialosc/remove", .string("m1")), nil),
        (OSCMessage("/sys/size", .integer(16), .integer(8)), .size(columns: 16, rows: 8)),
        (OSCMessage("/sys/size", .integer(0), .integer(8)), nil),
        (OSCMessage("/sys/port", .integer(8000)), .destination(port: 8000)), (OSCMessage("/sys/port"), nil),
        (OSCMessage("/sys/connect"), .started), (OSCMessage("/sys/disconnect"), nil),
        (OSCMessage("/sys/size", .integer(2_000_000_000), .integer(2_000_000_000)), nil),
        (
            OSCMessage("/pixelboop/grid/key", .integer(3), .integer(2), .integer(1)),
            .press(PadPosition(column: 3, row: 2))
        ),
        (
            OSCMessage("/pixelboop/grid/key", .integer(3), .integer(2), .integer(0)),
            .release(PadPosition(column: 3, row: 2))
        ),
        (OSCMessage("/pixelboop/grid/key", .integer(-3), .integer(2), .integer(1)), nil),
        (OSCMessage("/pixelboop/grid/key", .integer(3)), nil), (OSCMessage("/monome/grid/key"), nil),
    ]

    @Test(arguments: events.indices) func `messages become events or are ignored`(index: Int) {
        #expect(MonomeProtocol.event(Self.events[index].0) == Self.events[index].1)
    }

    @Test func `lights are sent in blocks of eight by eight, only where something changed`() {
        var levels = (0..<128).map { $0 % 16 }
        let all = MonomeProtocol.lights(levels, after: nil, columns: 16)
        #expect(all.map { $0.arguments[0...1].map(\.int) } == [[0, 0], [8, 0]])
        #expect(all[1].address == "/pixelboop/grid/led/level/map")
        #expect(all[1].arguments[2...].map(\.int) == (0..<64).map { 8 + $0 % 8 })
        #expect(MonomeProtocol.lights(levels, after: levels, columns: 16).isEmpty)
        let before = levels
        levels[127] = 0
        #expect(MonomeProtocol.lights(levels, after: before, columns: 16).map { $0.arguments[0].int } == [8])
    }

    @Test(arguments: [(8, 8), (16, 8), (16, 16), (12, 9), (10, 20), (64, 64)]) func `grids of any size are lit`(
        columns: Int, rows: Int
    ) {
        let messages = MonomeProtocol.lights(Array(repeating: 15, count: columns * rows), after: nil, columns: columns)
        #expect(messages.allSatisfy { $0.arguments.count == 66 })
        #expect(messages.flatMap { $0.arguments[2...] }.count { $0 == .integer(15) } == columns * rows)
    }

    @Test(arguments: [
        (UInt32(0x0a0a0a), 0), (0, 0), (0xff0000, 15), (0x0000ff, 15), (0x858585, 8), (0x111111, 0), (0x333333, 3),
    ])
    func `brightness is that of the brightest channel above the background`(color: UInt32, level: Int) {
        #expect(MonomeProtocol.level(of: Color(color)) == level)
    }
}
