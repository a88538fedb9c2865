import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the page over HTTP, and carries the control socket's lines to the pages that get in.
public final class Gateway: Sendable {
    private let listeners: [any Channel]
    private let loop: NIOLoopBound<GatewayLoop>

    private init(listeners: [any Channel], loop: NIOLoopBound<GatewayLoop>) {
        self.listeners = listeners
        self.loop = loop
    }

    /// Starts to listen; pages are served when this returns.
    ///
    /// - Parameters:
    ///   - addresses: Where to listen.
    ///   - token: What lets pages in from elsewhere.
    /// - Throws: Why an address cannot be listened on.
    public static func start(
        _ settings: GatewaySettings, on addresses: [SocketAddress], token: Token, eventLoop: any EventLoop,
        logger: Logger
    ) async throws -> Gateway {
        let loop = try await eventLoop.submit {
            NIOLoopBound(
                GatewayLoop(on: eventLoop, settings: settings, token: token, logger: logger), eventLoop: eventLoop)
        }.get()
        var listeners: [any Channel] = []
        for address in addresses { listeners.append(try await listen(on: address, loop, eventLoop)) }
        return Gateway(listeners: listeners, loop: loop)
    }

    private static func listen(
        on address: SocketAddress, _ loop: NIOLoopBound<GatewayLoop>, _ eventLoop: any EventLoop
    ) async throws -> any Channel {
        let waiting = GatewaySettings.waitingBytes
        return try await ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // What the kernel keeps for a page that does not take it is old when the page does.
            .childChannelOption(.tcpOption(.unsentLimit), value: .init(waiting.lowerBound))
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16_384)
            )
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: waiting.lowerBound, high: waiting.upperBound)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try initialize(channel, loop.value) }
            }
            .bind(to: address).get()
    }

    private static func initialize(_ channel: any Channel, _ loop: GatewayLoop) throws {
        guard loop.admit(channel) else { throw ChannelError.operationUnsupported }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = GatewaySettings.maximumHead
        limits.maxHeaderListSize = GatewaySettings.maximumHead
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(RequestHandler(loop: loop))
    }

    /// Where it listens.
    public var addresses: [SocketAddress] { listeners.compactMap(\.localAddress) }

    /// Takes another token, and closes the pages that came in by the one before.
    public func replaceToken(by token: Token) {
        loop.eventLoop.execute { [loop] in loop.value.replaceToken(by: token) }
    }

    /// Takes no more connections, tells the pages, and closes what is left after a while.
    ///
    /// - Parameter limit: How long pages are waited for.
    public func shutdown(within limit: Duration) async {
        for listener in listeners { try? await listener.close() }
        let gone = loop.eventLoop.flatSubmit { [loop] in
            let gateway = loop.value
            let cut = loop.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { gateway.abort() }
            return gateway.end().assumeIsolated().always { _ in cut.cancel() }.nonisolated()
        }
        try? await gone.get()
    }
}

extension NIOBSDSocket.Option {
    /// Linux's TCP_NOTSENT_LOWAT: how much may wait in the kernel that was not sent yet, in bytes.
    fileprivate static let unsentLimit = NIOBSDSocket.Option(rawValue: 25)
}
