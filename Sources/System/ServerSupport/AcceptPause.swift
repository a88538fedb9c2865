import Logging
import NIOCore

/// Pauses listeners when the system cannot accept connections, for example because it is out of descriptors.
///
/// A connection that cannot be accepted keeps the listening socket readable, so the event loop would spin. NIO's
/// `AcceptBackoffHandler` does not prevent that: it acts only when asked to read, and after an error it is not asked.
///
/// One instance serves all listeners of a program, which must be on the same event loop: each pauses on its own, but
/// the log has one message for all of them.
public final class AcceptPause {
    private let logger: Logger
    /// Whether the failure to accept has already been logged.
    private var isKnown = false
    /// Reports recovery some time after a connection was accepted again, unless another failure comes first.
    private var recovery: Scheduled<Void>?

    /// How long a listener pauses.
    fileprivate static let length = TimeAmount.milliseconds(250)
    /// How long accepting must succeed before recovery is logged, so that alternating success and failure does not
    /// flood the log.
    private static let calm = TimeAmount.seconds(2)

    public init(logger: Logger) {
        self.logger = logger
    }

    /// The handler for a listener's own pipeline, not for that of accepted connections.
    public func handler() -> any ChannelInboundHandler {
        AcceptPauseHandler(pause: self)
    }

    fileprivate func failed(_ error: any Error) {
        if !isKnown { logger.error("cannot accept clients: \(error); trying again") }
        isKnown = true
        recovery?.cancel()
        recovery = nil
    }

    fileprivate func accepted(on eventLoop: any EventLoop) {
        guard isKnown, recovery == nil else { return }
        recovery = eventLoop.assumeIsolated().scheduleTask(in: Self.calm) { [self] in
            logger.notice("clients can be accepted again")
            (isKnown, recovery) = (false, nil)
        }
    }
}

private final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let pause: AcceptPause
    private var isPaused = false

    init(pause: AcceptPause) {
        self.pause = pause
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pause.accepted(on: context.eventLoop)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isPaused, let options = context.channel.syncOptions,
            (try? options.setOption(.autoRead, value: false)) != nil
        else { return }
        isPaused = true
        pause.failed(error)
        context.eventLoop.assumeIsolated().scheduleTask(in: AcceptPause.length) { [self] in
            isPaused = false
            // Fails if the socket was closed meanwhile.
            try? options.setOption(.autoRead, value: true)
        }
    }
}
