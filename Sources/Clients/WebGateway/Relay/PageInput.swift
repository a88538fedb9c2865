import NIOCore
import NIOWebSocket

/// What a page may send at the moment, and what its incomplete message uses. The handlers of its connection share it.
final class PageInput {
    /// Whether the page may send messages of the daemon's full length, or only its token.
    var isTrusted: Bool
    /// Whether everything that still comes is discarded.
    var isStopped = false
    /// Complete messages so far.
    fileprivate(set) var messageCount = 0
    /// The memory of the frame that is arriving, in bytes.
    fileprivate var frameMemory = 0
    /// The fragments of the message that is arriving: their bytes and their number.
    fileprivate var fragments = (bytes: 0, count: 0)

    /// What the aggregator needs for a fragment besides its content, in bytes.
    private static let fragmentOverhead = 256

    init(isTrusted: Bool) {
        self.isTrusted = isTrusted
    }

    /// The longest message in bytes.
    var limit: Int { isTrusted ? GatewaySettings.maximumMessage : GatewaySettings.maximumAuthentication }
    /// The longest frame, in bytes: the rest of the message, or a control frame.
    fileprivate var frameLimit: Int { max(limit - fragments.bytes, 125) }
    /// The memory of the incomplete message, in bytes. When stopped, the rest is released within ``GatewaySettings/closeTime``.
    var memory: Int { isStopped ? 0 : frameMemory + fragments.bytes + fragments.count * Self.fragmentOverhead }
    /// Whether a message has begun but is incomplete.
    var isUnderWay: Bool { memory > 0 }

    /// Discards the message that is under way and everything after it. Without one, the page's answer to the close
    /// frame is still read.
    func stop() {
        if isUnderWay { isStopped = true }
    }

    /// Joins the fragments of a message.
    static func aggregator() -> NIOWebSocketFrameAggregator {
        NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: GatewaySettings.maximumFragments,
            maxAccumulatedFrameSize: GatewaySettings.maximumMessage)
    }
}

/// NIO's decoder with the limit that holds for the page at the moment.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = WebSocketFrame

    private let input: PageInput
    private var decoder: WebSocketFrameDecoder
    private var limit: Int

    init(_ input: PageInput) {
        self.input = input
        limit = input.frameLimit
        decoder = WebSocketFrameDecoder(maxFrameSize: limit)
    }

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard !input.isStopped else {
            buffer = ByteBuffer()
            return .needMoreData
        }
        // The limit changes between two frames: after the token, and after a fragment.
        if limit != input.frameLimit {
            limit = input.frameLimit
            decoder = WebSocketFrameDecoder(maxFrameSize: limit)
        }
        let state = try decoder.decode(context: context, buffer: &buffer)
        if state == .needMoreData, buffer.storageCapacity > 2 * max(buffer.readableBytes, 64) {
            // A copy, to release the network's larger buffer, or that of the message before.
            buffer = ByteBuffer(bytes: buffer.readableBytesView)
        }
        input.frameMemory = buffer.readableBytes == 0 ? 0 : buffer.storageCapacity
        return state
    }
}

/// The rules of RFC 6455 that NIO's decoder leaves to others, and the gateway's: text only, and a limit for fragments before
/// the token.
final class FrameRules: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    private let input: PageInput

    init(_ input: PageInput) {
        self.input = input
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !input.isStopped else { return }
        var frame = unwrapInboundIn(data)
        do throws(PageClose) {
            try check(frame)
        } catch {
            return context.fireErrorCaught(error)
        }
        switch frame.opcode {
        case .text, .continuation: count(&frame)
        default: break
        }
        context.fireChannelRead(wrapInboundOut(frame))
    }

    private func check(_ frame: WebSocketFrame) throws(PageClose) {
        // Clients must mask their frames, and no extension was negotiated.
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { throw .notUnderstood }
        switch frame.opcode {
        case .connectionClose, .ping, .pong: break
        case .text, .continuation:
            guard input.fragments.bytes + frame.length <= input.limit else {
                throw input.isTrusted ? .tooLong : .tooLongForToken
            }
        case .binary: throw .binary
        default: throw .notUnderstood
        }
    }

    private func count(_ frame: inout WebSocketFrame) {
        if frame.fin {
            input.fragments = (0, 0)
            input.messageCount += 1
            return
        }
        input.fragments.bytes += frame.length
        input.fragments.count += 1
        // The aggregator keeps it: not with the network's larger buffer.
        if frame.data.storageCapacity > 2 * frame.length {
            frame.data = ByteBuffer(bytes: frame.data.readableBytesView)
        }
    }
}
