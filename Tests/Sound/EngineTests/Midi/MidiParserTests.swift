import TestSupport
import Testing

@testable import Engine

@Suite struct MidiParserTests {
    /// The messages in the bytes, and how much was skipped.
    private func parse(_ bytes: [UInt8]) -> (messages: [[UInt8]], skipped: UInt64) {
        var parser = MidiParser()
        let messages = bytes.compactMap { parser.parse($0) }.map { event in
            Array([event.status, event.first, event.second].prefix(Int(event.count)))
        }
        return (messages, parser.skippedCount)
    }

    @Test(
        arguments: [
            ([0x90, 60, 100, 0x80, 60, 0], [[0x90, 60, 100], [0x80, 60, 0]], 0),
            ([0x90, 60, 100, 62, 100, 60, 0], [[0x90, 60, 100], [0x90, 62, 100], [0x90, 60, 0]], 0),
            ([0xc5, 7, 8], [[0xc5, 7], [0xc5, 8]], 0),
            // Clock ticks may come anywhere.
            ([0x90, 60, 0xf8, 100], [[0xf8], [0x90, 60, 100]], 0),
            // Cut off.
            ([0x90, 60, 0xb0, 7, 9], [[0xb0, 7, 9]], 1),
            ([0x90, 0xb0, 7, 9], [[0xb0, 7, 9]], 1),
            ([60, 100], [], 2),
            // System exclusive, with and without an end, and data bytes after it.
            ([0xf0, 1, 2, 3, 0xf7, 0x90, 1, 2], [[0x90, 1, 2]], 1),
            ([0xf0, 1, 0xfa, 2, 0x90, 1, 2], [[0xfa], [0x90, 1, 2]], 1),
            ([0x90, 1, 2, 0xf0, 0xf7, 3], [[0x90, 1, 2]], 2),
            ([0xf7], [], 1),
            ([0xf2, 1, 2, 3], [[0xf2, 1, 2]], 1),
            ([0xf4, 0xf5, 0xf9, 0xfd, 0xf6], [[0xf6]], 4),
        ] as [([UInt8], [[UInt8]], UInt64)])
    func `bytes become messages, and invalid ones are counted`(bytes: [UInt8], messages: [[UInt8]], skipped: UInt64) {
        let result = parse(bytes)
        #expect(result.messages == messages && result.skipped == skipped)
    }

    @Test func `random bytes yield only whole messages`() {
        var random = SeededGenerator(seed: 3)
        for message in parse((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }).messages {
            #expect(message[0] >= 0x80 && message.dropFirst().allSatisfy { $0 < 0x80 })
            let expected = message[0] >= 0xf8 || message[0] == 0xf6 ? 1 : [0xc, 0xd].contains(message[0] >> 4) ? 2 : 3
            #expect(message.count == (message[0] == 0xf1 || message[0] == 0xf3 ? 2 : expected))
        }
    }
}
