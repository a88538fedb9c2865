import NIOCore
import NIOHTTP1

/// The HTTP side of one connection: serves the page's files, and hands the connection over when a page opens its
/// WebSocket.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let loop: GatewayLoop
    private var request: HTTPRequestHead?
    private var deadline: Scheduled<Void>?
    private var hasAnswered = false
    private var isFinished = false
    private var isReadDelayed = false

    init(loop: GatewayLoop) {
        self.loop = loop
    }

    func handlerAdded(context: ChannelHandlerContext) {
        startDeadline(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFinished else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        case .body: answer(HTTPAnswer(.payloadTooLarge, "requests must not have a body"), context)
        case .end:
            guard let head = request else { return }
            serve(head, context)
            request = nil
        }
    }

    private func serve(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if let refusal = loop.settings.access.refusal(of: head) { return answer(refusal, context) }
        guard head.method == .GET || head.method == .HEAD else {
            return answer(HTTPAnswer(.methodNotAllowed, "GET and HEAD only", headers: ["Allow": "GET, HEAD"]), context)
        }
        let path = String(head.uri.prefix { $0 != "?" })
        if path == Handshake.path { return connect(head, context) }
        guard let file = PageFile.all[path] else {
            return answer(HTTPAnswer(.notFound, "there is no \(path)"), context)
        }
        answer(
            HTTPAnswer(
                file, known: head.headers[canonicalForm: "If-None-Match"].map(String.init),
                takesCompressed: Compression.isAccepted(by: head.headers[canonicalForm: "Accept-Encoding"])),
            context)
    }

    // MARK: Answers

    private func answer(_ answer: HTTPAnswer, _ context: ChannelHandlerContext) {
        var answer = answer
        // After an Upgrade the decoder treats everything as another protocol. The headers of a refused request are not
        // read again: they may take long to compare.
        answer.isLast =
            answer.isLast || request.map { !$0.isKeepAlive || $0.headers.contains(name: "Upgrade") } ?? true
        // The answers to further requests, which may have been read already, would pile up.
        if !context.channel.isWritable { answer.isLast = true }
        let version = request?.version ?? .http1_1
        context.write(wrapOutboundOut(.head(answer.head(version: version))), promise: nil)
        if let body = answer.body, request?.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        hasAnswered = true
        isFinished = answer.isLast
        guard isFinished else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return startDeadline(context)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // If it were closed at once, a client that is still sending would get a broken pipe rather than the answer.
        context.close(mode: .output, promise: nil)
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(loop.settings.closeTime)) {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isFinished, let error = error as? HTTPParserError else { return context.close(promise: nil) }
        request = nil
        switch error {
        case .headerOverflow:
            answer(HTTPAnswer(.requestHeaderFieldsTooLarge, "a request's head may have at most 16 KiB"), context)
        case .invalidVersion: answer(HTTPAnswer(.httpVersionNotSupported, "HTTP/1.1 or HTTP/1.0"), context)
        default: answer(HTTPAnswer(.badRequest, "this is not an HTTP request"), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is EndEvent: context.close(promise: nil)
        case ChannelEvent.inputClosed where isFinished || request == nil: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Timeouts and back-pressure

    /// Starts the timeout of the next request, which is refused if it is not complete by then.
    private func startDeadline(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(loop.settings.requestTime)) {
            [self] in
            guard !hasAnswered || request != nil else { return context.close(promise: nil) }
            answer(HTTPAnswer(.requestTimeout, "the request took too long"), context)
        }
    }

    /// Does not read from a client that does not read its answers.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable { context.read() } else { isReadDelayed = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isReadDelayed, context.channel.isWritable {
            isReadDelayed = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: The instrument

    private func connect(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let address = context.remoteAddress
        let handshake: Handshake
        switch Handshake.read(head) {
        case .failure(let refusal): return answer(refusal.answer, context)
        case .success(let value): handshake = value
        }
        switch loop.settings.access.decision(on: head, isLocal: address?.isLoopback ?? false) {
        case .refuse(let status, let reason): answer(HTTPAnswer(status, reason), context)
        case .admit(let needsToken):
            isFinished = true
            let page = PageConnection(
                loop: loop, address: address, origin: head.headers.first(name: "Origin"), needsToken: needsToken,
                isLoudspeaker: head.uri == Handshake.audio)
            handshake.upgrade(context, to: page, from: self)
        }
    }
}
