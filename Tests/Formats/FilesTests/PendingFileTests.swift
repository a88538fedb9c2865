import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Files

@Suite struct PendingFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var hiddenNames: [String] { get throws { try directory.names.filter { $0.hasPrefix(".") } } }

    @Test(arguments: [false, true])
    func `until committed the old file stays, and a discarded file leaves nothing`(isNamed: Bool) throws {
        try directory.write("old", to: "x")
        do {
            let pending = try PendingFile(at: directory.file("x"), isNamed: isNamed)
            try pending.write(Array("new".utf8))
            #expect(try directory.read("x") == Array("old".utf8))
            #expect(try hiddenNames.count == (isNamed ? 1 : 0))
        }
        #expect(try directory.names == ["x"])
        let pending = try PendingFile(at: directory.file("x"), isNamed: isNamed)
        try pending.write(Array("ne".utf8))
        try pending.flush()
        try pending.write(Array("w".utf8))
        try pending.commit()
        pending.discard()
        #expect(try directory.read("x") == Array("new".utf8))
        #expect(try directory.names == ["x"])
    }

    @Test(arguments: [false, true])
    func `a new file has the usual permissions, and a replacement those of the old file`(isNamed: Bool) throws {
        func permissions(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
        }
        try PendingFile(at: directory.file("x"), isNamed: isNamed).commit()
        try directory.write("", to: "usual")
        #expect(try permissions("x") == permissions("usual"))
        chmod(directory.file("x"), 0o640)
        try PendingFile(at: directory.file("x"), isNamed: isNamed).commit()
        #expect(try permissions("x") == 0o640)
    }

    @Test(arguments: [false, true])
    func `a file that appeared meanwhile is replaced, but not one of another kind`(isNamed: Bool) throws {
        let path = directory.file("x")
        let first = try PendingFile(at: path, isNamed: isNamed)
        try first.write([1])
        try directory.write("other", to: "x")
        try first.commit()
        #expect(try directory.read("x") == [1])
        let second = try PendingFile(at: path, isNamed: isNamed)
        try FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        #expect(throws: FileError.self) { try second.commit() }
        #expect(try directory.names == ["x"])
        var status = stat()
        lstat(path, &status)
        #expect(status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test(arguments: [false, true], [false, true])
    func `a file that appears before it is complete stays, with what is written`(isNamed: Bool, isReplacing: Bool)
        throws
    {
        if isReplacing { try directory.write("old", to: "x") }
        do {
            let pending = try PendingFile(at: directory.file("x"), isNamed: isNamed)
            try pending.write([1])
            try pending.appear()
            #expect(try directory.read("x") == [1])
            try pending.write([2])
            try pending.appear()
        }
        #expect(try directory.names == ["x"])
        #expect(try directory.read("x") == [1, 2])
        let pending = try PendingFile(at: directory.file("x"), isNamed: isNamed)
        try pending.appear()
        try pending.write([3])
        try pending.commit()
        #expect(try directory.names == ["x"])
        #expect(try directory.read("x") == [3])
    }

    @Test(arguments: [EPERM, ENOSYS, EOPNOTSUPP])
    func `a file is renamed where there are no hard links, whatever the file system's error`(code: CInt) throws {
        try directory.write("content", to: "x")
        try renameWithoutReplacing(directory.file("x"), directory.file("y")) { _, _ in
            errno = code
            return -1
        }
        #expect(try directory.names == ["y"])
        #expect(try directory.read("y") == Array("content".utf8))
    }

    @Test func `a rename to a name that exists fails, and leaves both files`() throws {
        try directory.write("x", to: "x")
        try directory.write("y", to: "y")
        #expect(throws: FileError("rename", directory.file("x"), code: EEXIST)) {
            try renameWithoutReplacing(directory.file("x"), directory.file("y"))
        }
        #expect(try directory.read("x") == Array("x".utf8))
        #expect(try directory.read("y") == Array("y".utf8))
    }

    /// Directory entries that are not regular files.
    enum IrregularFile: String, CaseIterable {
        case directory = "a directory"
        case link = "a symbolic link"
        case fifo = "a FIFO"
        case socket = "a socket"
        case device = "a device"

        func make(at path: String) -> Bool {
            let nullDevice: dev_t = 1 << 8 | 3
            return switch self {
            case .directory: mkdir(path, 0o700) == 0
            case .link: symlink("target", path) == 0
            case .fifo: mkfifo(path, 0o600) == 0
            case .socket: mknod(path, S_IFSOCK | 0o600, 0) == 0
            case .device: mknod(path, S_IFCHR | 0o600, nullDevice) == 0
            }
        }
    }

    @Test(arguments: IrregularFile.allCases)
    func `only regular files are replaced`(kind: IrregularFile) throws {
        try directory.write("target", to: "target")
        let path = directory.file("x")
        try #require(kind.make(at: path))
        let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: path) }
        #expect(
            error?.description == "cannot replace \(path): it is \(kind.rawValue), and only regular files are replaced")
        #expect(try directory.names == ["target", "x"])
        #expect(try directory.read("target") == Array("target".utf8))
    }

    @Test func `a read-only file is not replaced, even by root`() throws {
        try directory.write("kept", to: "x")
        let path = directory.file("x")
        chmod(path, 0o444)
        let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: path) }
        #expect(error?.description == "cannot replace \(path): the file is read-only")
        #expect(try directory.read("x") == Array("kept".utf8))
    }

    @Test func `a link to a directory is followed`() throws {
        mkdir(directory.file("folder"), 0o700)
        symlink("folder", directory.file("link"))
        try AtomicFile.write([1], to: directory.file("link/x"))
        #expect(try directory.read("folder/x") == [1])
    }

    @Test func `temporary files of killed programs are removed, those being written stay`() throws {
        let written = try PendingFile(at: directory.file("x"), isNamed: true)
        let name = try #require(try hiddenNames.first)
        try directory.write("left over", to: ".pixelboop-0a1b2c.tmp")
        for other in ["pixelboop-1.tmp", ".pixelboop-1", ".other.tmp"] { try directory.write("", to: other) }
        StaleTemporaryFiles.sweep(directory.path)
        #expect(try directory.names.sorted() == [name, "pixelboop-1.tmp", ".pixelboop-1", ".other.tmp"].sorted())
        try written.write([1])
        try written.commit()
        #expect(try directory.read("x") == [1])
    }

    @Test(arguments: [
        (ExportKind.midi, ["a.mid", "a.MIDI"], ["a.wav", "mid", "a.mid "]),
        (.sound, ["a.wav", "a.Flac"], ["a.mp3", ""]),
        (.pattern, ["a.json"], ["a"]), (.picture, ["a.png"], ["a.png.jpg"]),
    ])
    func `a file needs an extension of its kind`(kind: ExportKind, allowed: [String], refused: [String]) throws {
        for name in allowed {
            try kind.write([1], to: directory.file(name))
            #expect(try directory.read(name) == [1])
        }
        for name in refused {
            let path = directory.file(name)
            let error = #expect(throws: FileError.self) { try kind.write([1], to: path) }
            #expect(error?.description == "cannot write \(path): expected \(kind.expectation)")
        }
        #expect(try directory.names == allowed.sorted())
    }
}
