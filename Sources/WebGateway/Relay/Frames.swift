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
