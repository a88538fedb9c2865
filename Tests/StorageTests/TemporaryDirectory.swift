import Foundation

/// A directory that is there while the value is, and gone with all that is in it afterwards.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("\(NSTemporaryDirectory())/pixelboop-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all files, hidden ones included.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    }
}

/// A small file system of its own, which can be filled and made read-only.
final class SmallDisk {
    static let size = 65_536
    static let isAvailable = (try? SmallDisk()) != nil

    let directory = try! TemporaryDirectory()
    var path: String { directory.path }

    init() throws {
        try SmallDisk.mount("-t", "tmpfs", "-o", "size=\(SmallDisk.size)", "tmpfs", path)
    }

    deinit { try? SmallDisk.run("/bin/umount", [path]) }

    func makeReadOnly() throws { try SmallDisk.mount("-o", "remount,ro", path) }
    func makeWritable() throws { try SmallDisk.mount("-o", "remount,rw", path) }

    /// Writes zeros until nothing more fits.
    func fill() throws {
        guard let file = fopen(directory.file("ballast"), "w") else { throw POSIXError(.EIO) }
        defer { fclose(file) }
        setbuf(file, nil)
        while fputc(0, file) != EOF {}
    }

    func empty() throws { try FileManager.default.removeItem(atPath: directory.file("ballast")) }

    private static func mount(_ arguments: String...) throws { try run("/bin/mount", arguments) }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EPERM) }
    }
}
