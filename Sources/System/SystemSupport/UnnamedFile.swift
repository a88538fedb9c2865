import Glibc

/// A complete file that never gets a name: it is gone when nobody holds it any more, however the process ends.
public final class UnnamedFile: Sendable {
    /// In bytes.
    public let size: Int
    private let path: String
    private let descriptor: Int32

    /// - Parameters:
    ///   - descriptor: An open file, which is closed in the end.
    ///   - path: Where it was going to be, for errors.
    init(owning descriptor: Int32, of path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = FileError("read", path)
            close(descriptor)
            throw error
        }
        (self.descriptor, self.path, size) = (descriptor, path, Int(status.st_size))
    }

    deinit { close(descriptor) }

    /// The bytes from an offset on: as many as asked for, or up to the end.
    public func bytes(from offset: Int, count: Int) throws(FileError) -> [UInt8] {
        let wanted = max(0, min(count, size - offset))
        var bytes = [UInt8](repeating: 0, count: wanted)
        var filled = 0
        while filled < wanted {
            let count = bytes.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return retryingInterrupted { pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled)) }
            }
            guard count > 0 else { throw FileError("read", path) }
            filled += count
        }
        return bytes
    }
}
