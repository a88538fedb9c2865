import NIOCore

/// Cuts what comes from the daemon into lines, and refuses to collect one without end.
struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    struct LineTooLong: Error {
        let limit: Int
    }

    private let limit: Int
    /// Bytes of the unfinished line that are known to hold no newline.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let unsearched = buffer.readableBytesView.dropFirst(searched)
        guard let newline = unsearched.firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.readableBytes
            guard searched <= limit else { throw LineTooLong(limit: limit) }
            return .needMoreData
        }
        let length = newline - buffer.readerIndex
        guard length <= limit else { throw LineTooLong(limit: limit) }
        searched = 0
        if let line = buffer.readSlice(length: length) {
            buffer.moveReaderIndex(forwardBy: 1)
            context.fireChannelRead(wrapInboundOut(line))
        }
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        while try decode(context: context, buffer: &buffer) == .continue {}
        // What is left is half a line: the daemon died in the middle of it.
        buffer.clear()
        return .needMoreData
    }
}
