import NIOCore

/// Cuts a byte stream into lines.
public struct LineDecoder {
    /// What the stream held next.
    public enum Element: Equatable {
        /// A line without its newline.
        case line(ByteBuffer)
        /// A line longer than the limit; what follows is not looked at any more.
        case tooLong
    }

    /// Bytes that a line may have, its newline not counted.
    public let maximumLength: Int

    private var buffer = ByteBuffer()
    /// Bytes at the front of the buffer in which there is no newline.
    private var searched = 0
    private var hasFailed = false

    /// A stream of which nothing has come in yet.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Bytes that are waiting to be cut.
    package var bufferedBytes: Int { buffer.readableBytes }
    /// Bytes of memory that they take.
    package var memory: Int { buffer.storageCapacity }

    /// Takes what came in.
    public mutating func append(_ bytes: ByteBuffer) {
        guard !hasFailed else { return }
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            // A buffer does not reuse the room of what was read from it: without this it would grow as long as the
            // client never stops at the end of a line.
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next line, nil while it is not complete.
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

    /// What stands behind the last newline once the stream has ended, nil when nothing does.
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

    /// A client that is silent keeps no memory.
    private mutating func releaseIfEmpty() {
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
    }
}
