import Control
import ControlTestSupport
import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import UnixSocket

/// Lines that the socket takes only in part.
@Suite(.timeLimit(.minutes(1)))
struct PartialWriteTests {
    /// The client makes room just before the next line is sent, when the event loop has yet to notice.
    @Test(arguments: [1, 2, 100])
    func `no line overtakes the end of the line before it`(missing: Int) async throws {
        try await TestServer.with { server in
            let sendBuffer = ControlSocket.Configuration(address: .path("", ownsDirectory: false)).sendBuffer
            let room = try SocketPair.room(sendBuffer: sendBuffer)
            let pair = try SocketPair(sendBuffer: sendBuffer)
            let connection = try await server.eventLoop.flatSubmit {
                let handler = ConnectionHandler(pair.daemon, on: server.control.loop.value)
                let bound = NIOLoopBound(handler, eventLoop: server.eventLoop)
                return ClientBootstrap(group: server.eventLoop)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(bound.value)
                        }
                    }
                    .withConnectedSocket(pair.daemon)
                    .map { _ in bound }
            }.get()
            // The channel is active by then, and the welcome in the socket.
            try await waitUntil { !pair.receive().isEmpty }
            let line = [UInt8](repeating: UInt8(ascii: "a"), count: room + missing - 1) + [10]
            let (early, unsent) = try await server.eventLoop.submit {
                connection.value.send(ByteBuffer(bytes: line))
                let unsent = connection.value.unsentBytes
                #expect(connection.value.isBlocked)
                let early = pair.receive()
                connection.value.send(ByteBuffer(string: "b\n"))
                return (early, unsent)
            }.get()
            #expect(unsent == missing)
            // Everything is in the socket by the next turn of the loop.
            try await waitUntil { try await server.eventLoop.submit { !connection.value.isBlocked }.get() }
            #expect(early + pair.receive() == line + Array("b\n".utf8))
        }
    }
}

/// Both ends of a connection, with as much room as the control socket gives its clients.
private final class SocketPair: Sendable {
    struct Failure: Error {}

    /// The end that a channel takes over.
    let daemon: CInt
    private let client: CInt

    init(sendBuffer: Int) throws {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Failure() }
        (daemon, client) = (ends[0], ends[1])
        var size = CInt(sendBuffer)
        setsockopt(daemon, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    }

    deinit { close(client) }

    /// How many bytes of a single write an empty socket takes.
    static func room(sendBuffer: Int) throws -> Int {
        let pair = try SocketPair(sendBuffer: sendBuffer)
        defer { close(pair.daemon) }
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        return send(pair.daemon, bytes, bytes.count, CInt(MSG_DONTWAIT))
    }

    /// Everything that the client has not read yet.
    func receive() -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(client, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
            received += buffer[..<count]
        }
        return received
    }
}
