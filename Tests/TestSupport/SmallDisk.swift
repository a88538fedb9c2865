import Foundation

/// A small file system of its own, in memory, which can be filled, made read-only and put over a directory.
public final class SmallDisk {
    /// Bytes that fit by default.
    public static let usualSize = 65_536

    /// Where it is mounted, for those who want to look at its files.
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

    /// Mounts a disk on which nothing can be written over a directory, as long as the value is there.
    public init(coveringReadOnly path: String) throws {
        directory = try TemporaryDirectory()
        self.path = path
        try SmallDisk.mount("-t", "tmpfs", "-o", "ro", "tmpfs", path)
    }

    deinit { _ = ChildProgram.succeeds(["umount", "--lazy", path]) }

    /// Lets nothing more be written; fails while a file is open for writing.
    public func makeReadOnly() throws { try SmallDisk.mount("-o", "remount,ro", path) }
    /// Lets everything be written again.
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
