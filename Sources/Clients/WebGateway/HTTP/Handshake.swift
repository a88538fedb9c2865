import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A request to become a WebSocket (RFC 6455, 4.2).
struct Handshake {
    /// The path of the relay to the control socket.
    static let path = "/socket"
    /// The same for a page's loudspeaker, which has its own connection.
    static let audio = "/socket?audio"
    /// The subprotocol: lines of the control socket, one per message.
    static let subprotocol = "pixelboop.v1"

    private let request: HTTPRequestHead
    private let headers: HTTPHeaders

    /// Why a request is refused.
    struct Refusal: Error {
        var answer: HTTPAnswer

        init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:]) {
            answer = HTTPAnswer(status, reason, headers: headers)
        }
    }

    static func read(_ head: HTTPRequestHead) -> Result<Handshake, Refusal> {
        func words(_ name: String) -> [String] { head.headers[canonicalForm: name].map(String.init) }
        func have(_ name: String, _ word: String) -> Bool { words(name).contains { $0.lowercased() == word } }
        guard head.method == .GET, head.version == .http1_1, have("Upgrade", "websocket"), have("Connection", "upgrade")
        else {
            return .failure(Refusal(.upgradeRequired, "WebSocket connections only", headers: ["Upgrade": "websocket"]))
        }
        guard head.headers["Sec-WebSocket-Version"] == ["13"] else {
            return .failure(
                Refusal(
                    .upgradeRequired, "WebSocket version 13 only",
                    headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"]))
        }
        let keys = head.headers["Sec-WebSocket-Key"]
        guard keys.count == 1, isKey(keys[0]) else {
            return .failure(Refusal(.badRequest, "Sec-WebSocket-Key must be 16 bytes in base64"))
        }
        let offered = words("Sec-WebSocket-Protocol")
        guard offered.isEmpty || offered.contains(subprotocol) else {
            return .failure(Refusal(.badRequest, "the subprotocol must be \(subprotocol)"))
        }
        return .success(
            Handshake(request: head, headers: offered.isEmpty ? [:] : ["Sec-WebSocket-Protocol": subprotocol]))
    }

    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == 24 && text.hasSuffix("==")
            && text.utf8.dropLast(2).allSatisfy { byte in
                switch UnicodeScalar(byte) {
                case "A"..."Z", "a"..."z", "0"..."9", "+", "/": true
                default: false
                }
            }
    }

    /// Accepts it: from then on the channel carries the page's WebSocket frames.
    func upgrade(_ context: ChannelHandlerContext, to page: PageConnection, from handler: RequestHandler) {
        let channel = context.channel
        let headers = headers
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(headers) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: request, initialResponseHeaders: [:])
            .assumeIsolated()
            .flatMapThrowing { headers in
                let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
                context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
                let pipeline = channel.pipeline.syncOperations
                // The decoder is removed one turn of the loop later, and passes on the bytes after the request.
                let former: [any RemovableChannelHandler] = [
                    try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self),
                    try pipeline.handler(type: HTTPResponseEncoder.self), handler,
                ]
                let isRemoved = former.map { pipeline.removeHandler($0) }
                try page.add(to: pipeline)
                EventLoopFuture.andAllComplete(isRemoved, on: channel.eventLoop).assumeIsolated().whenSuccess {
                    channel.pipeline.fireChannelReadComplete()
                }
            }
            .whenFailure { _ in channel.close(promise: nil) }
    }
}
