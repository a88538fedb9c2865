import GatewayTestSupport
import NIOCore
import NIOEmbedded
import NIOWebSocket
import TestSupport
import Testing

@testable import WebGateway

/// What the handlers before the page's make of bytes.
struct PageInputTests {
    private let input: PageInput
    private let channel = EmbeddedChannel()

    private struct Element: Equatable {
        var opcode: WebSocketOpcode
        var content: [UInt8]
    }

    init() throws {
        input = PageInput(isTrusted: true)
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(FrameDecoder(input)), FrameRules(input), PageInput.aggregator(),
        ])
    }

    /// Everything that is read from some bytes, which arrive in pieces of at most `pieces` bytes.
    private func read(
        _ bytes: [UInt8], pieces: Int = 999, _ random: inout SeededGenerator
    ) throws -> [Element] {
        var (rest, elements) = (bytes[...], [Element]())
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...pieces, using: &random))
            rest = rest.dropFirst(piece.count)
            // Part of a larger buffer, like the network's.
            var buffer = ByteBuffer(bytes: [0, 0] + piece + [UInt8](repeating: 0, count: 2000))
            buffer.moveReaderIndex(to: 2)
            buffer.moveWriterIndex(to: 2 + piece.count)
            try channel.writeInbound(buffer)
            while let frame = try channel.readInbound(as: WebSocketFrame.self) {
                elements.append(Element(opcode: frame.opcode, content: Array(frame.unmaskedData.readableBytesView)))
            }
        }
        return elements
    }

    /// Why some bytes are refused; nil if they are not.
    private func refusal(of bytes: [UInt8], _ random: inout SeededGenerator) -> PageClose? {
        do {
            _ = try read(bytes, &random)
            return nil
        } catch {
            return PageClose(error, isTrusted: input.isTrusted)
        }
    }

    @Test func `messages are the same however they are split into frames and reads`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<100 {
            let pieces = [1, 3, 200, 700].randomElement(using: &random) ?? 1
            var (bytes, expected) = ([UInt8](), [Element]())
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
                        expected.append(Element(opcode: .ping, content: [7, 8]))
                    }
                }
                bytes += Browser.frame(0x80 | opcode, Array(rest))
                expected.append(Element(opcode: .text, content: message))
            }
            #expect(try read(bytes, pieces: pieces, &random) == expected)
            #expect(!input.isUnderWay && input.memory == 0)
        }
    }

    @Test func `an incomplete message uses at most twice its received bytes, whatever was announced`() throws {
        var random = SeededGenerator(seed: 5)
        let frame = Browser.frame(0x81, [UInt8](repeating: 0x20, count: GatewaySettings.maximumMessage))
        var received = 0
        while received < frame.count - 1 {
            let piece = frame[received..<frame.count - 1].prefix(Int.random(in: 1...16_384, using: &random))
            #expect(try read(Array(piece), pieces: 16_384, &random).isEmpty)
            received += piece.count
            #expect(input.memory <= max(128, 2 * received))
        }
        #expect(input.memory >= GatewaySettings.maximumMessage)
        #expect(try read([frame[received]], &random).count == 1)
        #expect(input.memory == 0)
    }

    @Test func `fragments are counted, and do not keep the network's buffers`() throws {
        var random = SeededGenerator(seed: 9)
        #expect(try read(Browser.frame(0x01, [0x20]), &random).isEmpty)
        for _ in 0..<99 { #expect(try read(Browser.frame(0x00, [0x20]), &random).isEmpty) }
        #expect((100...100 * 400).contains(input.memory))
        #expect(try read(Browser.frame(0x80, []), &random).map(\.content.count) == [100])
        #expect(input.memory == 0)
    }

    @Test func `a message in too many fragments is refused`() throws {
        var random = SeededGenerator(seed: 10)
        #expect(try read(Browser.frame(0x01, [0x20]), &random).isEmpty)
        for _ in 0..<GatewaySettings.maximumFragments - 2 { _ = try read(Browser.frame(0x00, []), &random) }
        #expect(refusal(of: Browser.frame(0x00, []), &random) == .tooManyFragments)
    }

    @Test(arguments: [true, false])
    func `a frame's excessive length is refused when it is announced`(isTrusted: Bool) throws {
        input.isTrusted = isTrusted
        var random = SeededGenerator(seed: 6)
        let length = UInt64(input.limit + 1)
        let head: [UInt8] = [0x81, 0xff] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        #expect(refusal(of: head, &random) == (isTrusted ? .tooLong : .tooLongForToken))
    }

    @Test func `the largest length that can be written is refused`() throws {
        var random = SeededGenerator(seed: 7)
        #expect(refusal(of: [0x81] + [UInt8](repeating: 0xff, count: 9), &random) == .tooLong)
    }

    @Test func `before the token fragments together may have 512 bytes, after it the daemon's length`() throws {
        input.isTrusted = false
        var random = SeededGenerator(seed: 11)
        let half = [UInt8](repeating: 0x20, count: 256)
        #expect(try read(Browser.frame(0x01, half) + Browser.frame(0x80, half), &random).count == 1)
        input.isTrusted = true
        let long = [UInt8](repeating: 0x20, count: 100_000)
        #expect(try read(Browser.frame(0x01, long) + Browser.frame(0x80, long), &random).count == 1)
        input.isTrusted = false
        #expect(
            refusal(of: Browser.frame(0x01, half) + Browser.frame(0x80, half + [0x20]), &random) == .tooLongForToken)
    }

    @Test func `stopped between messages, it still reads the close frame`() throws {
        var random = SeededGenerator(seed: 12)
        input.stop()
        #expect(
            try read(Browser.frame(0x88, [3, 232]), &random)
                == [Element(opcode: .connectionClose, content: [3, 232])])
    }

    @Test func `stopped in the middle of a message, it discards the rest`() throws {
        var random = SeededGenerator(seed: 8)
        _ = try read(Browser.frame(0x01, [UInt8](repeating: 0x20, count: 5000)), &random)
        #expect(input.memory >= 5000)
        input.stop()
        #expect(input.memory == 0)
        let rest = Browser.frame(0x00, [UInt8](repeating: 0xff, count: 5000)) + Browser.frame(0x81, [0xff])
        #expect(try read(rest, &random).isEmpty)
        #expect(input.memory == 0)
    }
}
