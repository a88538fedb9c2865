import Logging
import NIOCore
import NIOPosix
import OSC
import Synchronization
import TestSupport
import Testing

@testable import OSCBridge

/// Senders without a daemon, so that all answers are errors.
@Suite(.timeLimit(.minutes(1))) struct SenderTableTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Works with a table on its event loop.
    private func withTable<Result: Sendable>(
        limit: Int = 64, bytes: Int = 4 << 20, _ body: @escaping @Sendable (SenderTable) throws -> Result
    ) async throws -> Result {
        try await loop.submit { [loop] in
            let table = SenderTable(
                socketPath: "/nowhere/control.sock", limit: limit, bytes: bytes, eventLoop: loop,
                logger: Logger(label: "test"), now: { .zero })
            defer { table.removeAll() }
            return try body(table)
        }.get()
    }

    /// Accepts a packet, and never has room for another.
    private let deaf = SenderTable.Reply(longest: 524_288) { _, _ in try? await Task.sleep(for: .seconds(3600)) }

    private func peer(_ address: String, _ port: Int, _ transport: OSCPeer.Transport = .tcp) -> OSCPeer {
        OSCPeer(transport, address, port: port)
    }

    @Test func `memory is bounded per sender, per host and in total, whatever arrives`() async throws {
        try await withTable { [deaf] table in
            var random = SeededGenerator(seed: 7)
            var bytes: [String: Int] = [:]
            for _ in 0..<(isLongRun ? 300 : 100) {
                let peer = OSCPeer(
                    .tcp, ["127.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"].randomElement(using: &random)!,
                    port: Int.random(in: 1...6, using: &random))
                let count = Int.random(in: 0...20_000, using: &random)
                // Each of these takes a byte in the packet, and a whole value in memory.
                let message = OSCMessage("/pixelboop/ping", Array(repeating: .boolean(true), count: count))
                let before = table.waitingBytes
                let reception = table.receive(message.bytes, from: peer, reply: deaf)
                #expect(reception != .malformed)
                bytes[peer.name, default: 0] += table.waitingBytes - before
                bytes[peer.address, default: 0] += table.waitingBytes - before
            }
            #expect((3 << 20)...(4 << 20) ~= table.waitingBytes)
            #expect(bytes.filter { $0.key.hasPrefix("tcp") }.values.allSatisfy { $0 <= 1 << 20 })
            #expect(bytes.filter { $0.key.hasPrefix("10.") }.values.allSatisfy { $0 <= 1 << 20 })
        }
    }

    @Test func `a waiting packet is accepted once those before it are carried out`() async throws {
        let (rooms, room) = AsyncStream<SenderTable.Reception>.makeStream()
        let peer = peer("127.0.0.1", 1)
        // Errors are answers too: there is no daemon.
        let quick = SenderTable.Reply(longest: 524_288) { _, _ in }
        let message = OSCMessage("/pixelboop/ping", .string(String(repeating: "x", count: 400_000)))
        let table = try await loop.submit { [loop] in
            let table = SenderTable(
                socketPath: "/nowhere/control.sock", limit: 64, eventLoop: loop, logger: Logger(label: "test"),
                now: { .zero })
            #expect(table.receive(message.bytes, from: peer, reply: quick) == .accepted)
            #expect(table.receive(message.bytes, from: peer, reply: quick) == .accepted)
            #expect(table.receive(message.bytes, from: peer, reply: quick) == .full)
            table.whenRoom(for: peer) { room.yield(table.receive(message.bytes, from: peer, reply: quick)) }
            return NIOLoopBound(table, eventLoop: loop)
        }.get()
        for await reception in rooms {
            #expect(reception == .accepted)
            break
        }
        try await loop.submit {
            #expect(table.value.losses == SenderTable.Losses())
            table.value.removeAll()
            #expect(table.value.waitingBytes == 0)
        }.get()
    }

    @Test func `what bridges send is never answered, and begins no conversation`() async throws {
        let own = [
            OSCMessage("/pixelboop/reply", .string("ping"), .string("{}")),
            OSCMessage("/pixelboop/error", .string("x")), OSCMessage("/pixelboop/confirm", .integer(7)),
            OSCMessage("/pixelboop/step", .integer(1)),
            OSCMessage("/pixelboop/state/bpm", .float(96)), Answers.namespace[0],
        ]
        try await withTable { [deaf, peer] table in
            for message in own {
                #expect(table.receive(message.bytes, from: peer("10.0.0.1", 1, .udp), reply: deaf) == .accepted)
            }
            let bundle = OSCPacket.bundle(.immediately, own.map { .message($0) })
            #expect(table.receive(bundle.bytes, from: peer("10.0.0.1", 1, .udp), reply: deaf) == .accepted)
            #expect(table.waitingBytes == 0)
            #expect(table.losses == SenderTable.Losses())
        }
    }

    @Test func `an element of unknown type is answered, and the rest of its bundle takes effect`() async throws {
        let (answers, answer) = AsyncStream<OSCMessage>.makeStream()
        let back = SenderTable.Reply(longest: 65_507) { bytes, _ in
            if case .message(let message)? = try? OSCPacket(decoding: bytes) { answer.yield(message) }
        }
        var bytes = OSCPacket.bundle(
            .immediately,
            ["dice/roll", "tempo/tap", "reply", "ping"].map { .message(OSCMessage("/pixelboop/\($0)", .boolean(true))) }
        ).bytes
        let type = try #require(bytes.firstIndex(of: UInt8(ascii: "T")))
        bytes[type] = UInt8(ascii: "N")
        // The answer of a bridge that does not know a type either.
        let reply = try #require(bytes.lastIndex(of: UInt8(ascii: "y")))
        bytes[try #require(bytes[reply...].firstIndex(of: UInt8(ascii: "T")))] = UInt8(ascii: "N")
        let table = try await loop.submit { [loop, bytes] in
            let table = SenderTable(
                socketPath: "/nowhere/control.sock", limit: 64, eventLoop: loop, logger: Logger(label: "test"),
                now: { .zero })
            #expect(table.receive(bytes, from: OSCPeer(.udp, "127.0.0.1", port: 1), reply: back) == .accepted)
            #expect(table.losses == SenderTable.Losses(malformed: 0, dropped: 2))
            return NIOLoopBound(table, eventLoop: loop)
        }.get()
        var methods: [String] = []
        for await message in answers {
            methods.append("\(message.arguments[0].text ?? "") \(message.arguments[1].int ?? 0)")
            if methods.count == 3 { break }
        }
        #expect(methods == ["tempo.tap -32000", "ping -32000", "dice.roll -32600"])
        try await loop.submit { table.value.removeAll() }.get()
    }

    @Test func `a message that needs more memory than a sender may use is dropped`() async throws {
        try await withTable { [deaf, peer] table in
            let message = OSCMessage("/pixelboop/ping", Array(repeating: .boolean(true), count: 50_000))
            #expect(table.receive(message.bytes, from: peer("127.0.0.1", 1, .tcp), reply: deaf) == .accepted)
            #expect(table.losses.dropped == 1)
            #expect(table.waitingBytes == 0)
        }
    }

    @Test func `another machine gets a quarter of the connections, all others leave a quarter to this one`()
        async throws
    {
        try await withTable { [peer] table in
            let first = (0..<64).filter { table.open(peer("10.0.0.1", $0, .tcp)) }
            #expect(first.count == 16)
            let others = (2..<64).filter { table.open(peer("10.0.0.\($0)", 1, .tcp)) }
            #expect(first.count + others.count == 48)
            #expect((0..<64).filter { table.open(peer("127.0.0.1", $0, .tcp)) }.count == 16)
            table.close(peer("10.0.0.1", 3, .tcp))
            #expect(table.open(peer("10.0.0.1", 99, .tcp)))
        }
    }

    @Test func `a sender ends after thirty seconds of silence`() async throws {
        try await withTable { [deaf, peer] table in
            let before = NIODeadline.now()
            let message = OSCMessage("/pixelboop/ping")
            #expect(table.receive(message.bytes, from: peer("127.0.0.1", 1, .udp), reply: deaf) == .accepted)
            table.expire(at: before + .seconds(30) - .nanoseconds(1))
            #expect(table.waitingBytes > 0)
            table.expire(at: .now() + .seconds(30))
            #expect(table.waitingBytes == 0)
        }
    }

    @Test func `everything that was reserved is released`() async throws {
        try await withTable(limit: 8) { [deaf, peer] table in
            for round in 0..<3 {
                for port in 0..<8 {
                    #expect(table.open(peer("::1", port, .tcp)), "round \(round)")
                    let message = OSCMessage("/pixelboop/ping", .string("\(round)"))
                    #expect(table.receive(message.bytes, from: peer("::1", port, .tcp), reply: deaf) == .accepted)
                }
                #expect(!table.open(peer("::1", 8, .tcp)))
                for port in 0..<8 { table.close(peer("::1", port, .tcp)) }
                // Until they are carried out, or given up.
                #expect(table.waitingBytes > 0)
                table.expire(at: .now() + .seconds(30))
                #expect(table.waitingBytes == 0)
            }
            #expect(table.losses == SenderTable.Losses())
        }
    }
}
