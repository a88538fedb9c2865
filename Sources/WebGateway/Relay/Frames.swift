import NIOCore
import NIOWebSocket

extension ByteBuffer {
    /// Writes a frame of a server (RFC 6455, 5.2): whole, and not masked.
    mutating func writeFrame(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) {
        writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        switch payload.readableBytes {
        case ...125: writeInteger(UInt8(payload.readableBytes))
        case ...0xffff:
            writeInteger(UInt8(126))
            writeInteger(UInt16(payload.readableBytes))
        default:
            writeInteger(UInt8(127))
            writeInteger(UInt64(payload.readableBytes))
        }
        writeImmutableBuffer(payload)
    }
}

/// Puts the messages of a page together from their frames.
struct MessageAssembler {
    /// The message under way, nil between two.
    private var partial: ByteBuffer?

    /// Takes a data frame.
    ///
    /// - Returns: The message that is complete with it, nil while there is none.
    mutating func take(_ frame: WebSocketFrame) throws(PageClose) -> ByteBuffer? {
        guard frame.opcode != .binary else { throw .binary }
        guard (frame.opcode == .continuation) == (partial != nil) else { throw .notUnderstood }
        if var message = partial {
            partial = nil
            message.writeImmutableBuffer(frame.unmaskedData)
            partial = message
        } else {
            partial = frame.unmaskedData
        }
        guard let message = partial, message.readableBytes <= GatewaySettings.maximumMessage else { throw .tooLong }
        guard frame.fin else { return nil }
        partial = nil
        try check(message)
        return message
    }

    private func check(_ message: ByteBuffer) throws(PageClose) {
        guard (try? UTF8Span(validating: message.readableBytesUInt8Span)) != nil else { throw .notText }
        guard !message.readableBytesView.contains(UInt8(ascii: "\n")) else { throw .newline }
    }
}
