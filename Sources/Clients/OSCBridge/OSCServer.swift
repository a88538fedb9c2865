import Configuration
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServerSupport

/// Listens for OSC, by UDP and by TCP, and forwards messages to the daemon.
public final class OSCServer: Sendable {
    public let places: [String]

    private let channels: [any Channel]
    private let table: NIOLoopBound<SenderTable>
    private let expiry: RepeatedTask
    private let logger: Logger

    private init(
        _ channels: [any Channel], _ table: NIOLoopBound<SenderTable>, _ expiry: RepeatedTask, _ logger: Logger
    ) {
        self.channels = channels
        self.table = table
        self.expiry = expiry
        self.logger = logger
        places = channels.compactMap { $0.localAddress?.place }
    }

    /// - Throws: ``OSCListeningFailure``.
    public static func start(_ settings: OSCSettings, logger: Logger) async throws -> OSCServer {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (socketPath, limit) = (settings.socketPath, settings.maxClients)
        let destinations = Destinations(peers: settings.peers)
        let table = try await loop.submit {
            NIOLoopBound(
                SenderTable(
                    socketPath: socketPath, limit: limit, destinations: destinations, eventLoop: loop, logger: logger,
                    now: wallTime),
                eventLoop: loop)
        }.get()
        var channels: [any Channel] = []
        for place in settings.listening {
            do {
                let address = try SocketAddress(ipAddress: place.address, port: place.port)
                channels += try await listen(at: address, by: loop, for: table)
            } catch let error as IOError {
                throw OSCListeningFailure(place: place.text, reason: String(cString: strerror(error.errnoCode)))
            }
        }
        for port in channels.compactMap(\.localAddress?.port) { destinations.exclude(port) }
        let expiry = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            table.value.expire()
        }
        return OSCServer(channels, table, expiry, logger)
    }

    /// Listens by UDP and by TCP; the free port that port 0 stands for must be the same for both.
    private static func listen(
        at address: SocketAddress, by loop: any EventLoop, for table: NIOLoopBound<SenderTable>
    ) async throws -> [any Channel] {
        // Open until the end, so that the system chooses others.
        var unfit: [any Channel] = []
        defer { for channel in unfit { channel.close(promise: nil) } }
        while true {
            let datagrams = try await receive(at: address, by: loop, for: table)
            do {
                return [datagrams, try await accept(at: datagrams.localAddress ?? address, by: loop, for: table)]
            } catch let error as IOError where error.errnoCode == EADDRINUSE && address.port == 0 && unfit.count < 8 {
                unfit.append(datagrams)
            }
        }
    }

    private static func receive(
        at address: SocketAddress, by loop: any EventLoop, for table: NIOLoopBound<SenderTable>
    ) async throws -> any Channel {
        try await DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler(table: table.value))
                }
            }
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .bind(to: address).get()
    }

    private static func accept(
        at address: SocketAddress, by loop: any EventLoop, for table: NIOLoopBound<SenderTable>
    ) async throws -> any Channel {
        try await ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(table.value.acceptPause.handler())
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StreamHandler(table: table.value))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Small reads, one at a time, so that little is buffered when reading has to stop.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16_384)
            )
            .bind(to: address).get()
    }

    /// Ends all conversations.
    public func shutdown() async {
        expiry.cancel()
        for channel in channels { try? await channel.close().get() }
        let table = table
        let losses = try? await channels[0].eventLoop.submit {
            table.value.removeAll()
            return table.value.losses
        }.get()
        guard let losses, losses != SenderTable.Losses() else { return }
        logger.info("\(losses.malformed) packets were malformed, \(losses.dropped) messages were dropped")
    }

    private static func wallTime() -> Duration {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
}

public struct OSCListeningFailure: Error, CustomStringConvertible {
    public let place: String
    public let reason: String

    public var description: String { "cannot listen on \(place): \(reason)" }
}
