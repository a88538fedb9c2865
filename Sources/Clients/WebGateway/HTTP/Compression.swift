import CZlib
import NIOCore

/// gzip (RFC 1952), which every browser accepts.
enum Compression {
    /// The compressed bytes; nil if that saves less than a tenth, as for pictures.
    static func gzip(_ bytes: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        let windowAndFormat = MAX_WBITS + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowAndFormat, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var (input, output) = (bytes, ByteBuffer())
        let isComplete = input.withUnsafeMutableReadableBytes { source in
            let room = source.count - (source.count + 9) / 10
            return output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
                stream.next_in = source.bindMemory(to: Bytef.self).baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.bindMemory(to: Bytef.self).baseAddress
                stream.avail_out = uInt(min(target.count, room))
                // With too little room it does not finish.
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            } > 0
        }
        return isComplete ? output : nil
    }

    /// Whether a browser accepts gzip, by the values of its `Accept-Encoding`.
    static func isAccepted(by values: [Substring]) -> Bool {
        values.contains { value in
            let parts = value.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            guard parts.first == "gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}
