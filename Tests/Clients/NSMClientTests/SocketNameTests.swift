import Foundation
import PixelBoopClient
import SystemSupport
import TestSupport
import Testing

@testable import NSMClient

struct SocketNameTests {
    private let folder: TemporaryDirectory
    private let environment: [String: String]
    private let socketPath: String

    init() throws {
        folder = try TemporaryDirectory()
        environment = ["XDG_RUNTIME_DIR": folder.path]
        socketPath = SocketPath.session("pixelboop.nAAAA", environment: environment)
        try FileManager.default.createDirectory(
            atPath: SocketPath.sessions(environment: environment), withIntermediateDirectories: true)
    }

    private func name(_ name: String) -> SocketName? { SocketName(name, for: socketPath, environment: environment) }

    @Test func `a session's socket has a second name until that is removed`() throws {
        let path = SocketPath.session("song", environment: environment)
        let song = try #require(name("song"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == socketPath)
        song.remove()
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: path) }
    }

    @Test func `it has none by which nobody could connect`() {
        // Two bytes a letter.
        let room = UnixAddress.longestPath - SocketPath.session("", environment: environment).utf8.count
        #expect(name(String(repeating: "я", count: room / 2)) != nil)
        #expect(name(String(repeating: "я", count: room / 2 + 1)) == nil)
    }
}
