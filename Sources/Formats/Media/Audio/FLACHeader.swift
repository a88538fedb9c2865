import Glibc

/// The header of a FLAC file that is still being written. libsndfile writes the length when it completes the file, and not
/// before.
enum FLACHeader {
    /// Where STREAMINFO begins (RFC 9639): behind the file's mark and the block's header.
    private static let start: off_t = 8
    /// Its bytes from the shortest block's length to the file's.
    private static let size = 18

    /// Writes the length of the blocks that are in the file.
    ///
    /// The encoder holds back the last block, until it has that and a frame more.
    ///
    /// - Parameters:
    ///   - frames: The frames that the encoder got.
    ///   - descriptor: The file, whose position does not change.
    /// - Returns: Whether it was written; `errno` has the reason if not.
    static func write(length frames: Int, to descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: size)
        guard pread(descriptor, &bytes, size, start) == size else { return false }
        let block = max(Int(bytes[0]) << 8 | Int(bytes[1]), 1)
        let length = max(frames - 1, 0) / block * block
        // The last 36 bits; the 28 before them are the rate, the channels and the bits of a sample.
        bytes[13] = bytes[13] & 0xf0 | UInt8(length >> 32 & 0xf)
        for index in 14..<size { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * (size - 1 - index))) }
        return pwrite(descriptor, bytes, size, start) == size
    }
}
