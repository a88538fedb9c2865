import Foundation

/// A small file system in memory, which can be filled, made read-only and mounted over a directory.
public final class SmallDisk {
    /// Bytes that fit by default.
    public static let usualSize = 65_536

    /// The directory that it is mounted in, for those who look at its files.
    public let directory: TemporaryDirectory
    /// Where it is mounted.
    public let path: String

    /// Mounts a disk in a directory of its own.
    ///
    /// - Parameter size: Bytes that fit.
    public init(size: Int = usualSize) throws {
        directory = try TemporaryDirectory()
        path = directory.path
        try SmallDisk.mount("-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path)
    }

    /// Mounts an empty read-only disk over a directory for as long as this value lives.
    public init(coveringReadOnly path: String) throws {
        directory = try TemporaryDirectory()
        self.path = path
        try SmallDisk.mount("-t", "tmpfs", "-o", "ro", "tmpfs", path)
    }

    deinit { _ = ChildProgram.succeeds(["umount", "--lazy", path]) }

    /// Makes it read-only; fails while a file is open for writing.
    public func makeReadOnly() throws { try SmallDisk.mount("-o", "remount,ro", path) }
    /// Makes it writable again.
    public func makeWritable() throws { try SmallDisk.mount("-o", "remount,rw", path) }

    /// Writes zeros until nothing more fits.
    public func fill() throws {
        guard let file = fopen("\(path)/ballast", "w") else { throw POSIXError(.EIO) }
        defer { fclose(file) }
        setbuf(file, nil)
        while fputc(0, file) != EOF {}
    }

    /// Removes what ``fill()`` wrote.
    public func empty() throws { try FileManager.default.removeItem(atPath: "\(path)/ballast") }

    private static func mount(_ arguments: String...) throws {
        guard ChildProgram.succeeds(["mount"] + arguments) else { throw POSIXError(.EPERM) }
    }
}
