import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerSupport

/// Serves the page over HTTP, and relays lines between the control socket and admitted pages.
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
    ///   - addresses: The addresses to listen on.
    ///   - tokenFile: The token for pages on other machines; watched, so that a new token soon applies.
    /// - Throws: ``ListeningFailure`` or ``TokenFile/Failure``.
    public static func start(
        _ settings: GatewaySettings, on addresses: [Listening], tokenFile: TokenFile, eventLoop: any EventLoop,
        logger: Logger
    ) async throws -> Gateway {
        let isNeeded = settings.everybodyNeedsToken || !addresses.allSatisfy(\.address.isLoopback)
        let token = try token(in: tokenFile, isNeeded: isNeeded, logger)
        let loop = try await eventLoop.submit {
            NIOLoopBound(
                GatewayLoop(on: eventLoop, settings: settings, token: token, logger: logger), eventLoop: eventLoop)
        }.get()
        var listeners: [any Channel] = []
        for place in addresses {
            do {
                listeners.append(try await listen(on: place.address, loop, eventLoop))
            } catch let error as IOError where place.isOptional && error.meansNoSuchAddress {
                continue
            } catch {
                for listener in listeners { try? await listener.close() }
                throw ListeningFailure(address: place.address.place, reason: words(for: error))
            }
        }
        let places = listeners.compactMap(\.localAddress)
        eventLoop.execute {
            loop.value.listening = places
            loop.value.watch(tokenFile)
        }
        return Gateway(listeners: listeners, loop: loop)
    }

    /// The token in its file; if the file cannot be written and no page needs the token, a random one that is not
    /// stored.
    private static func token(in file: TokenFile, isNeeded: Bool, _ logger: Logger) throws -> Token {
        do throws(TokenFile.Failure) {
            return try file.readOrMake()
        } catch {
            switch error {
            case .exposed, .notAToken, .tooShort: throw error
            case .file, .system: guard !isNeeded else { throw error }
            }
            logger.warning("\(error); this machine needs no token")
            return Token()
        }
    }

    private static func listen(
        on address: SocketAddress, _ loop: NIOLoopBound<GatewayLoop>, _ eventLoop: any EventLoop
    ) async throws -> any Channel {
        let waiting = GatewaySettings.waitingBytes
        return try await ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(loop.value.acceptPause.handler())
                    // IPv4 has its own listener.
                    guard address.protocol == .inet6 else { return }
                    try channel.syncOptions?.setOption(
                        ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 1)
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Data that waits in the kernel for a slow page is stale when the page reads it.
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

    /// Serves a socket that is already connected.
    package func serve(_ descriptor: CInt) throws -> any Channel {
        try ClientBootstrap(group: loop.eventLoop)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { [loop] channel in
                channel.eventLoop.makeCompletedFuture { try Self.initialize(channel, loop.value) }
            }
            .withConnectedSocket(descriptor).wait()
    }

    /// Open connections of all kinds.
    package var connectionCount: Int {
        get async throws { try await loop.eventLoop.submit { [loop] in loop.value.connectionCount }.get() }
    }

    /// The memory of incomplete messages, in bytes.
    package var unfinishedBytes: Int {
        get async throws { try await loop.eventLoop.submit { [loop] in loop.value.unfinishedBytes }.get() }
    }

    private static func initialize(_ channel: any Channel, _ loop: GatewayLoop) throws {
        guard loop.admit(channel) else { throw ChannelError.operationUnsupported }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = GatewaySettings.maximumHead
        limits.maxHeaderListSize = GatewaySettings.maximumHead
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
        let pipeline = channel.pipeline.syncOperations
        if let handler = try loop.settings.encryption?() { try pipeline.addHandler(handler) }
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(RequestHandler(loop: loop))
    }

    public var addresses: [SocketAddress] { listeners.compactMap(\.localAddress) }

    /// Where it listens, as people write it: `127.0.0.1:8044`, `[::1]:8044`.
    public var places: [String] { addresses.map(\.place) }

    /// Accepts no more connections, notifies the pages, and closes the rest after a timeout.
    ///
    /// - Parameter limit: How long to wait for pages.
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
    /// Linux's TCP_NOTSENT_LOWAT: how many unsent bytes may wait in the kernel.
    fileprivate static let unsentLimit = NIOBSDSocket.Option(rawValue: 25)
}

/// The system's message for a failure.
func words(for error: any Error) -> String {
    (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
}

extension IOError {
    fileprivate var meansNoSuchAddress: Bool { errnoCode == EADDRNOTAVAIL || errnoCode == EAFNOSUPPORT }
}

extension SocketAddress {
    /// As people write it: `192.168.1.2:8044`, `[::1]:8044`.
    fileprivate var place: String {
        let ip = ipAddress ?? ""
        return (ip.contains(":") ? "[\(ip)]" : ip) + ":\(port ?? 0)"
    }
}
