import Foundation
import Logging
import TestSupport
import Testing

@testable import Lights

struct ComponentIdentifierTests {
    private let folder = try! TemporaryDirectory()

    private func identifier(_ name: String) -> [UInt8] {
        ComponentIdentifier.kept(at: folder.file(name), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `the identifier is made once and kept, in folders made for it`() throws {
        let first = identifier("a/b/cid")
        #expect(first.count == 16)
        #expect(identifier("a/b/cid") == first)
        try folder.write("", to: "a/b/cid")
        let second = identifier("a/b/cid")
        #expect(second != first)
        #expect(identifier("a/b/cid") == second)
    }

    @Test func `anything but a regular file neither blocks nor is replaced`() throws {
        try folder.write("secret", to: "file")
        #expect(symlink("file", folder.file("link")) == 0)
        #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
        for name in ["link", "fifo"] {
            var (before, after) = (stat(), stat())
            #expect(lstat(folder.file(name), &before) == 0)
            #expect(identifier(name).count == 16)
            #expect(lstat(folder.file(name), &after) == 0)
            #expect(before.st_ino == after.st_ino && before.st_mode == after.st_mode)
        }
        #expect(try folder.read("file") == Array("secret".utf8))
    }

    @Test func `a file with other content is left as it is`() throws {
        try folder.write("my shopping list", to: "list")
        #expect(identifier("list").count == 16)
        #expect(try folder.read("list") == Array("my shopping list".utf8))
    }
}
