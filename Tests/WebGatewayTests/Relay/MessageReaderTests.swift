import GatewayTestSupport
import NIOCore
import NIOWebSocket
import TestSupport
import Testing

@testable import WebGateway

struct MessageReaderTests {
    /// Everything that a reader returns for some bytes, which arrive in pieces of at most `pieces` bytes.
    private func read(
        _ bytes: [UInt8], pieces: Int, _ reader: inout MessageReader, _ random: inout SeededGenerator
    ) throws(PageClose) -> [MessageReader.Element] {
        var (rest, elements) = (bytes[...], [MessageReader.Element]())
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...pieces, using: &random))
            rest = rest.dropFirst(piece.count)
            // Part of a larger buffer, like the network's.
            var buffer = ByteBuffer(bytes: [0, 0] + piece + [0, 0])
            buffer.moveReaderIndex(to: 2)
            buffer.moveWriterIndex(to: 2 + piece.count)
            reader.append(buffer)
            while let element = try reader.next() { elements.append(element) }
        }
        return elements
    }

    @Test func `messages are the same however they are split into frames and reads`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<100 {
            var reader = MessageReader(isTrusted: true)
            let pieces = [1, 3, 200, 700].randomElement(using: &random) ?? 1
            var (bytes, expected) = ([UInt8](), [MessageReader.Element]())
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let length = [0, 1, 125, 126, 1000, 100 * pieces].randomElement(using: &random) ?? 0
                let message = (0..<length).map { _ in UInt8.random(in: 0x20...0x7e, using: &random) }
                var (rest, opcode) = (message[...], UInt8(1))
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let part = rest.prefix(Int.random(in: 0...rest.count, using: &random))
                    rest = rest.dropFirst(part.count)
                    bytes += Browser.frame(opcode, Array(part))
                    opcode = 0
                    if Bool.random(using: &random) {
                        bytes += Browser.frame(0x89, [7, 8])
                        expected.append(.control(.ping, ByteBuffer(bytes: [7, 8])))
                    }
                }
                bytes += Browser.frame(0x80 | opcode, Array(rest))
                expected.append(.message(ByteBuffer(bytes: message)))
            }
            #expect(try read(bytes, pieces: pieces, &reader, &random) == expected)
            #expect(!reader.isUnderWay && reader.memory == 0)
        }
    }

    @Test func `an incomplete message uses at most twice its received bytes, whatever was announced`() throws {
        var (reader, random) = (MessageReader(isTrusted: true), SeededGenerator(seed: 5))
        let frame = Browser.frame(0x81, [UInt8](repeating: 0x20, count: GatewaySettings.maximumMessage))
        var received = 0
        while received < frame.count - 1 {
            let piece = frame[received..<frame.count - 1].prefix(Int.random(in: 1...16_384, using: &random))
            #expect(try read(Array(piece), pieces: 16_384, &reader, &random).isEmpty)
            received += piece.count
            #expect(reader.memory <= max(64, 2 * received))
        }
        #expect(try read([frame[received]], pieces: 1, &reader, &random).count == 1)
        #expect(reader.memory == 0)
    }

    @Test func `an excessive length is refused when it is announced`() throws {
        for (isTrusted, limit, reason) in [(true, 2_097_152, PageClose.tooLong), (false, 512, .tooLongForToken)] {
            for isLong in [false, true] {
                var (reader, random) = (MessageReader(isTrusted: isTrusted), SeededGenerator(seed: 6))
                _ = try read(Browser.frame(0x01, [0x20, 0x20]), pieces: 99, &reader, &random)
                let length = UInt64(limit - 2 + (isLong ? 1 : 0))
                let head: [UInt8] = [0x80, 0xff] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
                if isLong {
                    #expect(throws: reason) { try read(head + [0, 0, 0, 0], pieces: 99, &reader, &random) }
                } else {
                    #expect(try read(head + [0, 0, 0, 0], pieces: 99, &reader, &random).isEmpty)
                }
            }
        }
        var (reader, random) = (MessageReader(isTrusted: true), SeededGenerator(seed: 7))
        #expect(throws: PageClose.tooLong) {
            try read([0x81] + [UInt8](repeating: 0xff, count: 13), pieces: 99, &reader, &random)
        }
    }

    @Test func `a stopped reader keeps no message, but still reads the close frame`() throws {
        var (reader, random) = (MessageReader(isTrusted: true), SeededGenerator(seed: 8))
        _ = try read(Browser.frame(0x01, [UInt8](repeating: 0x20, count: 5000)), pieces: 999, &reader, &random)
        #expect(reader.memory >= 5000)
        reader.stop()
        #expect(reader.memory == 0)
        let rest =
            Browser.frame(0x00, [UInt8](repeating: 0xff, count: 5000)) + Browser.frame(0x81, [0xff])
            + Browser.frame(0x88, [3, 232])
        #expect(
            try read(rest, pieces: 999, &reader, &random)
                == [.control(.connectionClose, ByteBuffer(bytes: [3, 232]))])
        #expect(reader.memory == 0)
    }
}
