import NIOCore

/// Splits a byte stream into lines.
public struct LineDecoder {
    public enum Element: Equatable {
        /// A line without its newline.
        case line(ByteBuffer)
        /// A line is longer than the limit; the rest is ignored.
        case tooLong
    }

    /// The longest line in bytes, without its newline.
    public let maximumLength: Int

    private var buffer = ByteBuffer()
    /// Bytes at the start of the buffer known to hold no newline.
    private var searched = 0
    private var hasFailed = false

    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    public mutating func append(_ bytes: ByteBuffer) {
        guard !hasFailed else { return }
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            // A buffer does not reuse the space of bytes already read: without this it would grow while reads end in
            // the middle of a line.
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next line, nil until it is complete.
    public mutating func next() -> Element? {
        guard !hasFailed else { return nil }
        let view = buffer.readableBytesView
        guard let newline = view.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) else {
            searched = view.count
            return searched > maximumLength ? fail() : nil
        }
        let length = newline - view.startIndex
        guard length <= maximumLength, let line = buffer.readSlice(length: length) else { return fail() }
        buffer.moveReaderIndex(forwardBy: 1)
        searched = 0
        releaseIfEmpty()
        return .line(line)
    }

    /// The bytes after the last newline once the stream has ended, nil if there are none.
    public mutating func rest() -> ByteBuffer? {
        guard !hasFailed, buffer.readableBytes > 0 else { return nil }
        defer { buffer = ByteBuffer() }
        return buffer
    }

    private mutating func fail() -> Element {
        hasFailed = true
        buffer = ByteBuffer()
        return .tooLong
    }

    /// An idle client must hold no memory.
    private mutating func releaseIfEmpty() {
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
    }
}
