import JSON
import NIOCore
import NIOPosix
import TestSupport
import Wire

/// A daemon that sends what a test wants, on a socket of its own.
public final class CannedDaemon: Sendable {
    /// What its socket is called.
    public static let socketName = "control.sock"

    public let path: String

    private let server: any Channel
    private let peers: AsyncStream<CannedPeer>
    private let newPeer: AsyncStream<CannedPeer>.Continuation

    /// Holds the socket.
    private let place: TemporaryDirectory

    private init(path: String, in place: TemporaryDirectory, server: any Channel, _ stream: Peers) {
        self.path = path
        self.place = place
        self.server = server
        (peers, newPeer) = stream
    }

    deinit {
        server.close(promise: nil)
        newPeer.finish()
    }

    private typealias Peers = (stream: AsyncStream<CannedPeer>, continuation: AsyncStream<CannedPeer>.Continuation)

    /// Starts listening on a socket in a directory, by default a new one.
    public static func start(
        at place: TemporaryDirectory? = nil, named name: String = socketName
    ) async throws -> CannedDaemon {
        let place = try place ?? TemporaryDirectory()
        let path = place.file(name)
        let stream = AsyncStream<CannedPeer>.makeStream()
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let peer = CannedPeer(channel: channel)
                    try channel.pipeline.syncOperations.addHandler(PeerHandler(peer: peer))
                    stream.continuation.yield(peer)
                }
            }
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        return CannedDaemon(path: path, in: place, server: server, stream)
    }

    /// Waits for the next client.
    public func accept() async throws -> CannedPeer {
        for await peer in peers { return peer }
        throw CancellationError()
    }

    /// Waits for the next client and welcomes it.
    public func welcome() async throws -> CannedPeer {
        let peer = try await accept()
        try await peer.send(Welcome(version: "canned").line)
        return peer
    }

    /// Stops listening; clients stay connected.
    public func stop() async throws {
        try await server.close().get()
    }
}

extension TemporaryDirectory {
    /// The path of a canned daemon's socket in it, which may not listen yet.
    public var socket: String { file(CannedDaemon.socketName) }
}

/// A client, as the canned daemon sees it.
public final class CannedPeer: Sendable {
    private let channel: any Channel
    private let lines: AsyncStream<[UInt8]>
    fileprivate let newLine: AsyncStream<[UInt8]>.Continuation

    fileprivate init(channel: any Channel) {
        self.channel = channel
        (lines, newLine) = AsyncStream.makeStream()
    }

    /// Waits for the client's next call; nil if it closed the connection.
    public func receive() async throws -> Request? {
        for await line in lines {
            guard case .single(.call(let request)) = try IncomingLine(parsing: line) else { return nil }
            return request
        }
        return nil
    }

    /// Waits for the client's next line, whatever its content; nil if it closed the connection.
    public func receiveLine() async -> String? {
        for await line in lines { return String(decoding: line, as: UTF8.self) }
        return nil
    }

    public func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    public func send(line: String) async throws {
        try await send(Array((line + "\n").utf8))
    }

    public func answer(_ request: Request, _ result: Result<JSONValue, WireError>) async throws {
        guard let id = request.id else { return }
        try await send(JSONValue.object(Response(id: id, result: result).json).bytes + [UInt8(ascii: "\n")])
    }

    /// Sets whether to read from the client's socket.
    public func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
    }

    /// Closes the connection, unless the client already has.
    public func close() async throws {
        channel.close(promise: nil)
        try await channel.closeFuture.get()
    }
}

private final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let peer: CannedPeer
    private var rest: [UInt8] = []

    init(peer: CannedPeer) {
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        rest += unwrapInboundIn(data).readableBytesView
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            peer.newLine.yield(Array(rest[..<newline]))
            rest.removeSubrange(...newline)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer.newLine.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
