import Logging
import NIOCore
import NIOWebSocket

/// One page: carries its messages to the daemon as lines, and the daemon's lines to it as messages.
final class PageConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let loop: GatewayLoop
    private let address: SocketAddress?
    /// Where the page was opened, as its browser reports.
    private let origin: String?
    private let needsToken: Bool
    /// Whether it is a page's second connection, for sound.
    let isLoudspeaker: Bool
    private var phase: Phase
    /// The page's messages that wait until the connection to the daemon is ready; the daemon gets them even if the page
    /// has left by then.
    private var waiting: [ByteBuffer] = []
    private let input: PageInput
    /// The content of the last unanswered ping.
    private var ping: ByteBuffer?
    /// Bytes of memory that were reported to the loop.
    private var countedMemory = 0
    /// The number of the message that was incomplete at the last ping.
    private var messageAtPing: Int?
    private var heartbeat = Heartbeat()
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private var isReadDelayed = false

    private enum Phase {
        /// Any other message closes the connection.
        case awaitingToken
        /// The connection to the daemon is not ready.
        case connecting
        case open(DaemonConnection)
        /// The last frame is on its way.
        case closing
        case closed
    }

    var cameByToken: Bool {
        if case .awaitingToken = phase { false } else { needsToken }
    }

    private var isClosing: Bool {
        if case .closing = phase { true } else { false }
    }

    init(loop: GatewayLoop, address: SocketAddress?, origin: String?, needsToken: Bool, isLoudspeaker: Bool) {
        self.loop = loop
        self.address = address
        self.origin = origin
        self.needsToken = needsToken
        self.isLoudspeaker = isLoudspeaker
        phase = .awaitingToken
        input = PageInput(isTrusted: !needsToken)
    }

    /// Adds it to a connection that carries WebSocket frames from now on.
    func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandlers([
            ByteToMessageHandler(FrameDecoder(input)), FrameRules(input), PageInput.aggregator(),
            WebSocketFrameEncoder(), self,
        ])
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleHeartbeat(context)
        guard needsToken else { return connect() }
        loop.beginWaiting(self, from: address)
        after(loop.settings.tokenTime) { [self] in close(.tokenLate) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    private func finish() {
        let former = phase
        phase = .closed
        if case .open(let daemon) = former { daemon.finish() }
        heartbeat.stop()
        timer?.cancel()
        loop.remove(self)
        stopMessages()
    }

    // MARK: From the page

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !input.isStopped else { return }
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: receiveText(frame.unmaskedData)
        case .connectionClose: closed(by: frame.unmaskedData)
        case _ where isClosing: break
        case .ping: ping = frame.unmaskedData
        default: heartbeat.answered()
        }
    }

    private func receiveText(_ message: ByteBuffer) {
        guard !isClosing else { return }
        guard (try? UTF8Span(validating: message.readableBytesUInt8Span)) != nil else { return fail(.notText) }
        guard !message.readableBytesView.contains(UInt8(ascii: "\n")) else { return fail(.newline) }
        receive(message)
    }

    /// Closes the connection because of invalid input, and reads nothing more.
    private func fail(_ reason: PageClose) {
        input.isStopped = true
        close(reason)
    }

    /// Answers only the last ping of a read, as RFC 6455, 5.5.3 allows: there may be thousands.
    private func answerPing() {
        guard let payload = ping else { return }
        ping = nil
        // A page that does not read gets no pong.
        if context?.channel.isWritable ?? false { send(.pong, payload) }
    }

    private func receive(_ message: ByteBuffer) {
        let authentication = Authentication(message)
        switch phase {
        case .awaitingToken: authenticate(authentication)
        case .connecting where authentication == nil: waiting.append(message)
        case .open(let daemon) where authentication == nil: daemon.send(message)
        case .connecting, .open, .closing, .closed: break
        }
    }

    private func authenticate(_ authentication: Authentication?) {
        guard let authentication, loop.admits(authentication.token, from: address) else { return close(.tokenWrong) }
        timer?.cancel()
        loop.endWaiting(self, from: address)
        input.isTrusted = true
        connect()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        countMemory()
        answerPing()
        if case .open(let daemon) = phase { daemon.flush() }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder reports whatever comes after an invalid frame, too.
        if case ByteToMessageDecoderError.dataReceivedInErrorState = error { return }
        guard let reason = PageClose(error, isTrusted: input.isTrusted) else { return context.close(promise: nil) }
        fail(reason)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is EndEvent: close(.ending)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Reports the memory of the incomplete message to the loop.
    private func countMemory() {
        guard input.memory != countedMemory else { return }
        let hasRoom = loop.countUnfinished(input.memory, insteadOf: countedMemory)
        countedMemory = input.memory
        if !hasRoom { close(.tooManyUnfinished) }
    }

    private func stopMessages() {
        loop.endWaiting(self, from: address)
        ping = nil
        input.stop()
        countMemory()
    }

    // MARK: The daemon

    private func connect() {
        guard loop.admit(self) else { return close(.tooManyPages) }
        phase = .connecting
        DaemonConnection.open(for: self, loop: loop)
    }

    /// The daemon has accepted the page: relays lines from now on. False if the page has left meanwhile.
    func opened(_ daemon: DaemonConnection) -> Bool {
        for message in waiting { daemon.send(message) }
        waiting = []
        guard case .connecting = phase else { return false }
        phase = .open(daemon)
        daemon.flush()
        resumeReading()
        return true
    }

    /// Sends a line from the daemon, with the next ``flush()``.
    func send(_ line: ByteBuffer) {
        context?.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: line)), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    /// Sends the page's addresses for other machines, with a QR code; a page opened as localhost cannot know them.
    func sendAddresses() {
        // A page without a token is on this machine, and others may not know the name by which it was opened.
        guard case .open = phase, let addresses = loop.addresses(from: cameByToken ? origin : nil) else { return }
        send(.text, addresses)
    }

    // MARK: Back-pressure

    /// Whether the daemon may send more lines.
    var hasRoom: Bool { context?.channel.isWritable ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, case .open(let daemon) = phase { daemon.resumeReading() }
        context.fireChannelWritabilityChanged()
    }

    /// Whether to read more from the page.
    private var wantsInput: Bool {
        switch phase {
        case .awaitingToken, .closing, .closed: true
        case .connecting: false
        case .open(let daemon): daemon.hasRoom
        }
    }

    func read(context: ChannelHandlerContext) {
        if wantsInput { context.read() } else { isReadDelayed = true }
    }

    func resumeReading() {
        guard isReadDelayed, wantsInput else { return }
        isReadDelayed = false
        context?.read()
    }

    // MARK: The end

    /// Closes the connection, and the daemon's with it.
    func close(_ reason: PageClose) {
        let former = phase
        if case .closed = former { return }
        guard !isClosing else { return }
        phase = .closing
        stopMessages()
        if case .open(let daemon) = former { daemon.finish() }
        heartbeat.stop()
        timer?.cancel()
        loop.logger.debug("a page is closed: \(reason.reason)")
        send(.connectionClose, reason.payload)
        resumeReading()
        closeSoon()
    }

    /// The page closes the connection, or answers our close frame.
    private func closed(by payload: ByteBuffer) {
        guard let context else { return }
        guard !isClosing else { return context.close(promise: nil) }
        finish()
        phase = .closing
        let channel = context.channel
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: PageClose.answer(to: payload))
        context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { _ in
            channel.close(promise: nil)
        }
        closeSoon()
    }

    /// Whether or not the page reads the last frame.
    private func closeSoon() {
        after(loop.settings.closeTime) { [self] in context?.close(promise: nil) }
    }

    private func scheduleHeartbeat(_ context: ChannelHandlerContext) {
        heartbeat.schedule(context, in: loop.settings.pingInterval) { [self] in
            // A stalled message holds memory that others need.
            guard !input.isUnderWay || messageAtPing != input.messageCount else { return close(.unfinished) }
            messageAtPing = input.isUnderWay ? input.messageCount : nil
            guard heartbeat.beat() else {
                loop.logger.debug("a page does not answer")
                return context.close(promise: nil)
            }
            send(.ping, ByteBuffer())
            scheduleHeartbeat(context)
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: payload)
        context?.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func after(_ time: Duration, _ body: @escaping () -> Void) {
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { body() }
    }
}
