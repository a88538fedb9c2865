import Logging
import NIOCore

/// Lets listeners stop accepting for a while when the system refuses, as it does when there are no descriptors left.
///
/// The connection that cannot be accepted keeps the listening socket readable, so that the event loop would spin. NIO's
/// `AcceptBackoffHandler` does not prevent that: it waits to be asked to read, and after an error it is not asked.
///
/// One pause serves all listeners of a program, which must be on the same event loop: each pauses for itself, and the log
/// says once for all of them that no client can be accepted, and once that clients can be accepted again.
public final class AcceptPause {
    private let logger: Logger
    /// Whether the log already says that no connection can be accepted.
    private var isKnown = false
    /// Waits, once a connection was accepted again, whether that lasts.
    private var recovery: Scheduled<Void>?

    /// How long a listener pauses.
    fileprivate static let length = TimeAmount.milliseconds(250)
    /// How long accepting has to succeed before the log says so: descriptors that come and go do not fill it.
    private static let calm = TimeAmount.seconds(2)

    /// A pause that nobody makes yet.
    public init(logger: Logger) {
        self.logger = logger
    }

    /// What a listener needs in its own pipeline, which is not that of the connections that it accepts.
    public func handler() -> any ChannelInboundHandler {
        AcceptPauseHandler(pause: self)
    }

    fileprivate func failed(_ error: any Error) {
        if !isKnown { logger.error("no client can be accepted: \(error); trying again") }
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
            // Fails when the socket was closed meanwhile.
            try? options.setOption(.autoRead, value: true)
        }
    }
}
