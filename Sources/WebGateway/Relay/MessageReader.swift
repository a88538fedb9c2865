import NIOCore
import NIOWebSocket

/// Reads a page's frames (RFC 6455, 5.2) as they arrive, and assembles its messages.
///
/// NIO's decoder buffers whole frames, and keeps the memory of the largest. This one buffers only the current message,
/// checks its length in advance, and then frees its memory.
struct MessageReader {
    enum Element: Equatable {
        /// A complete message: one line of UTF-8.
        case message(ByteBuffer)
        /// A control frame with its payload.
        case control(WebSocketOpcode, ByteBuffer)
    }

    /// Whether the page may send messages of the daemon's full length, or only its token.
    var isTrusted: Bool
    private(set) var messageCount = 0

    /// The unread input: less than the head of a frame, or less than a control frame.
    private var input = ByteBuffer()
    /// The frame whose payload is arriving.
    private var frame: Frame?
    /// The incomplete message; nil between messages.
    private var partial: ByteBuffer?
    /// Whether messages are discarded because the connection is about to end.
    private var isStopped = false

    private struct Frame {
        var opcode: WebSocketOpcode
        var isLast: Bool
        var mask: WebSocketMaskingKey
        var length: Int
        var received = 0
    }

    init(isTrusted: Bool) {
        self.isTrusted = isTrusted
    }

    /// The memory of the incomplete message, in bytes.
    var memory: Int { partial?.storageCapacity ?? 0 }
    /// Whether a message has begun but is incomplete.
    var isUnderWay: Bool { partial != nil }

    /// Discards the current message and all later ones.
    mutating func stop() {
        isStopped = true
        partial = nil
    }

    mutating func append(_ bytes: ByteBuffer) {
        if input.readableBytes == 0 { input = bytes } else { input.writeImmutableBuffer(bytes) }
    }

    /// The next message, nil while it is incomplete.
    mutating func next() throws(PageClose) -> Element? {
        while true {
            if frame == nil { frame = try readHead() }
            guard let frame else { break }
            if let element = try frame.opcode.isControlOpcode ? readControl(frame) : readData(frame) { return element }
            guard self.frame == nil else { break }
        }
        // Copies the rest, to release the network's buffer.
        input = input.readableBytes == 0 ? ByteBuffer() : ByteBuffer(bytes: input.readableBytesView)
        return nil
    }

    /// The head of a frame, nil while it is not complete.
    private mutating func readHead() throws(PageClose) -> Frame? {
        var head = input
        guard let first = head.readInteger(as: UInt8.self), let second = head.readInteger(as: UInt8.self) else {
            return nil
        }
        let length: UInt64? =
            switch second & 0x7f {
            case 126: head.readInteger(as: UInt16.self).map { UInt64($0) }
            case 127: head.readInteger(as: UInt64.self)
            case let short: UInt64(short)
            }
        // Clients must mask their frames, and no extension was negotiated.
        guard second & 0x80 != 0, first & 0x70 == 0 else { throw .notUnderstood }
        guard let length, let mask = head.readSlice(length: 4) else { return nil }
        guard let opcode = WebSocketOpcode(encodedWebSocketOpcode: first & 0x0f),
            let mask = WebSocketMaskingKey(mask.readableBytesView)
        else { throw .notUnderstood }
        let isLast = first & 0x80 != 0
        try check(opcode, isLast: isLast, length: length)
        input = head
        return Frame(opcode: opcode, isLast: isLast, mask: mask, length: Int(length))
    }

    private func check(_ opcode: WebSocketOpcode, isLast: Bool, length: UInt64) throws(PageClose) {
        switch opcode {
        case .connectionClose, .ping, .pong:
            guard isLast, length <= 125 else { throw .notUnderstood }
        case .text, .continuation:
            guard isStopped || (opcode == .continuation) == (partial != nil) else { throw .notUnderstood }
            let limit = isTrusted ? GatewaySettings.maximumMessage : GatewaySettings.maximumAuthentication
            guard length <= UInt64(limit - (partial?.readableBytes ?? 0)) else {
                throw isTrusted ? .tooLong : .tooLongForToken
            }
        case .binary: throw .binary
        default: throw .notUnderstood
        }
    }

    private mutating func readControl(_ frame: Frame) -> Element? {
        guard var content = input.readSlice(length: frame.length) else { return nil }
        self.frame = nil
        content.webSocketUnmask(frame.mask)
        return .control(frame.opcode, content)
    }

    private mutating func readData(_ frame: Frame) throws(PageClose) -> Element? {
        let length = min(input.readableBytes, frame.length - frame.received)
        guard var content = input.readSlice(length: length) else { return nil }
        let isWhole = frame.received + length == frame.length
        self.frame = isWhole ? nil : frame
        self.frame?.received += length
        if isStopped { return nil }
        content.webSocketUnmask(frame.mask, indexOffset: frame.received % 4)
        if var message = partial {
            partial = nil
            message.writeImmutableBuffer(content)
            content = message
        } else if !isWhole || !frame.isLast {
            // A copy, to release the larger network buffer.
            content = ByteBuffer(bytes: content.readableBytesView)
        }
        guard isWhole, frame.isLast else {
            partial = content
            return nil
        }
        messageCount += 1
        try check(content)
        return .message(content)
    }

    private func check(_ message: ByteBuffer) throws(PageClose) {
        guard (try? UTF8Span(validating: message.readableBytesUInt8Span)) != nil else { throw .notText }
        guard !message.readableBytesView.contains(UInt8(ascii: "\n")) else { throw .newline }
    }
}
