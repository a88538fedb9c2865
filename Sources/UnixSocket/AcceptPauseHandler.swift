import Logging
import NIOCore

/// Stops accepting for a while when the system refuses, as it does when there are no descriptors left.
///
/// The connection that cannot be accepted keeps the listening socket readable, so that the event loop would spin. NIO's
/// `AcceptBackoffHandler` does not prevent that: it waits to be asked to read, and after an error it is not asked.
final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let logger: Logger
    private var isPaused = false
    /// Whether the log already says that no connection can be accepted.
    private var isKnown = false

    private static let pause = TimeAmount.milliseconds(250)

    init(logger: Logger) {
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isKnown { logger.notice("clients can be accepted again") }
        isKnown = false
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isPaused, let options = context.channel.syncOptions,
            (try? options.setOption(.autoRead, value: false)) != nil
        else { return }
        if !isKnown { logger.error("no client can be accepted: \(error); trying again") }
        (isPaused, isKnown) = (true, true)
        context.eventLoop.assumeIsolated().scheduleTask(in: AcceptPauseHandler.pause) { [self] in
            isPaused = false
            // Fails when the socket was closed meanwhile.
            try? options.setOption(.autoRead, value: true)
        }
    }
}
