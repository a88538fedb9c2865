import CZlib

/// Compresses bytes as one stream, of which everything up to a flush can be read.
///
/// Raw deflate (RFC 1951); its window of 32 KiB reaches across flushes, so that what repeats takes few bytes.
final class DeflateStream {
    private var stream = z_stream()
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 14)

    init() {
        let code = deflateInit2_(
            &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "there is no memory for zlib")
    }

    deinit {
        deflateEnd(&stream)
        buffer.deallocate()
    }

    /// Compresses more bytes; returns what is complete of the output.
    func compress(_ bytes: [UInt8]) -> [UInt8] { run(bytes, Z_NO_FLUSH) }

    /// The rest of the output for everything so far.
    func flush() -> [UInt8] { run([], Z_SYNC_FLUSH) }

    private func run(_ bytes: [UInt8], _ mode: Int32) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                deflate(&stream, mode)
                output.append(contentsOf: buffer.prefix(buffer.count - Int(stream.avail_out)))
            } while stream.avail_out == 0
            stream.next_in = nil
        }
        return output
    }
}

/// Reads what a ``DeflateStream`` wrote, piece by piece.
final class InflateStream {
    private var stream = z_stream()
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)

    init() {
        let code = inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "there is no memory for zlib")
    }

    deinit {
        inflateEnd(&stream)
        buffer.deallocate()
    }

    /// The next piece, uncompressed.
    func expand(_ piece: [UInt8]) throws(MalformedTake) -> [UInt8] {
        var input = piece
        var output: [UInt8] = []
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            defer { stream.next_in = nil }
            repeat {
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let code = inflate(&stream, Z_NO_FLUSH)
                output.append(contentsOf: buffer.prefix(buffer.count - Int(stream.avail_out)))
                // There is nothing to do: all input was read before.
                if code == Z_BUF_ERROR { break }
                if code != Z_OK { return false }
            } while stream.avail_in > 0 || stream.avail_out == 0
            return true
        }
        guard isWhole else { throw MalformedTake() }
        return output
    }
}
