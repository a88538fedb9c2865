import JSON
import NIOCore
import NIOPosix
import ServerSupport
import SystemSupport

final class DaemonConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let page: PageConnection
    private var lines = LineDecoder(maximumLength: GatewaySettings.maximumLine)
    private var greeting: Greeting? = Greeting()
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private var isReadDelayed = false
    /// Whether it ends when everything is sent; its lines are discarded.
    private var isFinishing = false

    private init(page: PageConnection) {
        self.page = page
    }

    /// Connects a page to the daemon. Nothing is forwarded before the daemon confirms that the page counts as remote.
    static func open(for page: PageConnection, loop: GatewayLoop) {
        let daemon = NIOLoopBound(DaemonConnection(page: page), eventLoop: loop.eventLoop)
        let time = TimeAmount(loop.settings.daemonTime)
        // NIO's own addresses are limited to 103 bytes, macOS's maximum.
        guard let address = UnixAddress(path: loop.settings.socketPath) else {
            return page.close(.daemonAway("the path of its socket must have 1 to \(UnixAddress.longestPath) bytes"))
        }
        ClientBootstrap(group: loop.eventLoop)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 16_384)
            )
            .connectTimeout(time)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    daemon.value.timer = channel.eventLoop.assumeIsolated().scheduleTask(in: time) {
                        daemon.value.end(.daemonSilent)
                    }
                    try channel.pipeline.syncOperations.addHandler(daemon.value)
                }
            }
            .connect(to: SocketAddress(address.address))
            .whenFailure { error in daemon.value.page.close(.daemonAway(words(for: error))) }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        send(ByteBuffer(string: Greeting.hello))
        flush()
        context.fireChannelActive()
    }

    // MARK: From the daemon

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFinishing else { return }
        lines.append(unwrapInboundIn(data))
        do throws(PageClose) {
            if greeting != nil { try greet() }
            if greeting == nil { try forward() }
        } catch {
            end(error)
        }
    }

    private func greet() throws(PageClose) {
        while let line = try nextLine() {
            guard try greeting?.read(line) ?? true else { continue }
            timer?.cancel()
            let first = greeting?.forPage ?? []
            greeting = nil
            guard page.opened(self) else { return finish() }
            for line in first { page.send(line) }
            page.flush()
            return page.sendAddresses()
        }
    }

    private func forward() throws(PageClose) {
        // What came before a line that is too long is for the page all the same.
        defer { page.flush() }
        while let line = try nextLine() { page.send(line) }
    }

    private func nextLine() throws(PageClose) -> ByteBuffer? {
        switch lines.next() {
        case .line(let line): line
        case .tooLong: throw .daemonSilent
        case nil: nil
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        page.close(.daemonEnded)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.daemonEnded)
    }

    private func end(_ reason: PageClose) {
        page.close(reason)
        close()
    }

    // MARK: To the daemon

    /// Sends a line, with the next ``flush()``.
    func send(_ line: ByteBuffer) {
        guard let context else { return }
        var line = line
        line.writeInteger(UInt8(ascii: "\n"))
        context.write(wrapOutboundOut(line), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    /// Closes it when everything is sent.
    func finish() {
        guard let context else { return }
        isFinishing = true
        // The daemon may read on only when its answers are read.
        resumeReading()
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    private func close() {
        context?.close(promise: nil)
    }

    // MARK: Back-pressure

    /// Whether more may be sent.
    var hasRoom: Bool { context?.channel.isWritable ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { page.resumeReading() }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if greeting != nil || isFinishing || page.hasRoom { context.read() } else { isReadDelayed = true }
    }

    /// Continues reading if that had to wait for the page.
    func resumeReading() {
        guard isReadDelayed else { return }
        isReadDelayed = false
        context?.read()
    }
}

/// The handshake with the daemon: the gateway declares its client as remote, and forwards nothing before the daemon has
/// confirmed that.
struct Greeting {
    /// The gateway's `hello`.
    static let hello =
        #"{"jsonrpc":"2.0","id":0,"method":"hello","params":{"client":"pixelboop-web","remote":true}}"#

    /// The daemon's lines before its answer, which are meant for the page.
    private(set) var forPage: [ByteBuffer] = []

    /// Reads a line of the daemon.
    ///
    /// - Returns: Whether the greeting is over.
    mutating func read(_ line: ByteBuffer) throws(PageClose) -> Bool {
        guard case .object(let message)? = try? JSONValue(parsing: line.readableBytesUInt8Span) else {
            throw .daemonSilent
        }
        if case .object(let error)? = message["error"], case .string(let reason)? = error["message"] {
            throw PageClose(code: 1013, reason: reason)
        }
        guard let result = message["result"] else {
            forPage.append(line)
            return false
        }
        guard case .object(let members) = result, members["remote"] == .bool(true) else { throw .daemonTooOld }
        return true
    }
}
