import Files
import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite struct AtomicFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `a file is created, then replaced as a whole`() throws {
        try AtomicFile.write(Array("a longer first text".utf8), to: directory.file("x"))
        #expect(try directory.read("x") == Array("a longer first text".utf8))
        try AtomicFile.write(Array("second".utf8), to: directory.file("x"))
        #expect(try directory.read("x") == Array("second".utf8))
        try AtomicFile.write([], to: directory.file("x"))
        #expect(try directory.read("x") == [])
        #expect(try directory.names == ["x"])
    }

    @Test func `a file that is being read stays whole for its reader`() throws {
        try directory.write("old", to: "x")
        let reader = try #require(FileHandle(forReadingAtPath: directory.file("x")))
        try AtomicFile.write(Array("new".utf8), to: directory.file("x"))
        #expect(try reader.readToEnd() == Data("old".utf8))
    }

    @Test func `names as long as the system allows can be used`() throws {
        let name = String(repeating: "n", count: 255)
        try AtomicFile.write([1], to: directory.file(name))
        #expect(try directory.names == [name])
    }

    @Test func `a failed write is reported with path and reason`() throws {
        let missing = directory.file("none/x")
        #expect(throws: FileError("create", missing, code: ENOENT)) { try AtomicFile.write([], to: missing) }
        #expect(
            FileError("create", "/a/x", code: ENOENT).description == "cannot create /a/x: No such file or directory")
    }

    @Test func `a path is not truncated at a zero`() throws {
        #expect(throws: FileError("use", directory.file("x\0y"), code: EINVAL)) {
            try AtomicFile.write([1], to: directory.file("x\0y"))
        }
        #expect(try directory.names == [])
    }
}
