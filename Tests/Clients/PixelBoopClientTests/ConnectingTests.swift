import CannedDaemon
import Foundation
import JSON
import TestSupport
import Testing
import Wire

@testable import PixelBoopClient

@Suite(.timeLimit(.minutes(1)))
struct ConnectingTests {
    @Test func `without a daemon the error names the socket and the reason`() async throws {
        let path = try TemporaryDirectory().socket
        await #expect(throws: ClientError.noDaemon(path: path, reason: "No such file or directory")) {
            try await PixelBoopClient.connect(to: path)
        }
    }

    @Test func `a socket that nothing listens at any more is no daemon`() async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.stop()
        let error = await #expect(throws: ClientError.self) { try await PixelBoopClient.connect(to: daemon.path) }
        guard case .noDaemon(daemon.path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["", "/tmp/" + String(repeating: "x", count: 103)])
    func `a path that no socket can have is an error, and not truncated`(path: String) async throws {
        await #expect(throws: ClientError.noDaemon(path: path, reason: "the path of a socket has 1 to 107 bytes")) {
            try await PixelBoopClient.connect(to: path)
        }
    }

    @Test(arguments: [104, 107]) func `a socket's path may have the maximum length`(length: Int) async throws {
        let path = "/tmp/" + String(repeating: "x", count: length - 5)
        await #expect(throws: ClientError.noDaemon(path: path, reason: "No such file or directory")) {
            try await PixelBoopClient.connect(to: path)
        }
    }

    @Test func `a daemon with too many clients refuses in its own words`() async throws {
        let daemon = try await CannedDaemon.start()
        let client = Task { try await PixelBoopClient.connect(to: daemon.path) }
        let peer = try await daemon.accept()
        let error = WireError(.tooManyClients, "1024 clients are connected already")
        try await peer.send(Response.bytes(id: .null, error: error) + [UInt8(ascii: "\n")])
        try await peer.close()
        await #expect(throws: ClientError.refused(error)) { _ = try await client.value }
    }

    @Test func `a daemon that closes at once is a lost connection`() async throws {
        let daemon = try await CannedDaemon.start()
        let client = Task { try await PixelBoopClient.connect(to: daemon.path) }
        try await daemon.accept().close()
        await #expect(throws: ClientError.connectionLost(reason: "the daemon closed it")) { _ = try await client.value }
    }

    @Test func `another version of the protocol is refused`() async throws {
        let daemon = try await CannedDaemon.start()
        let client = Task { try await PixelBoopClient.connect(to: daemon.path) }
        let peer = try await daemon.accept()
        var welcome = Welcome(version: "9.0")
        welcome.protocolVersion = 2
        try await peer.send(welcome.line)
        await #expect(throws: ClientError.protocolViolation("it speaks version 2, this program 1")) {
            _ = try await client.value
        }
    }

    @Test func `a silent server is not waited for forever, and disconnected`() async throws {
        let daemon = try await CannedDaemon.start()
        var options = PixelBoopClient.Options()
        options.patience = .milliseconds(1)
        let client = Task { try await PixelBoopClient.connect(to: daemon.path, options: options) }
        let peer = try await daemon.accept()
        await #expect(throws: ClientError.self) { _ = try await client.value }
        #expect(try await peer.receive() == nil)
    }

    @Test func `connecting can be cancelled, and hangs up`() async throws {
        let daemon = try await CannedDaemon.start()
        let connecting = Task { try await PixelBoopClient.connect(to: daemon.path) }
        let peer = try await daemon.accept()
        connecting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await connecting.value }
        #expect(try await peer.receive() == nil)
    }

    @Test func `the system's daemon is found while the user's does not run`() async throws {
        let system = try await CannedDaemon.start()
        let runtime = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: runtime.file("pixelboop"), withIntermediateDirectories: false)
        let environment = ["XDG_RUNTIME_DIR": runtime.path]
        let own = runtime.file("pixelboop/control.sock")
        #expect(SocketPath.standard(environment: environment, system: system.path) == system.path)
        #expect(SocketPath.standard(environment: environment, system: "/nowhere") == own)
        // A socket left behind by a killed daemon does not count.
        let killed = try await CannedDaemon.start(at: runtime, named: "pixelboop/control.sock")
        #expect(SocketPath.standard(environment: environment, system: system.path) == own)
        try await killed.stop()
        #expect(SocketPath.standard(environment: environment, system: system.path) == system.path)
        #expect(SocketPath.standard(environment: ["PIXELBOOP_SOCKET": own], system: system.path) == own)
    }

    @Test(arguments: [
        (["PIXELBOOP_SOCKET": "/a/b.sock", "XDG_RUNTIME_DIR": "/run/user/7"], "/a/b.sock"),
        (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/pixelboop/control.sock"),
        (["PIXELBOOP_SOCKET": "", "XDG_RUNTIME_DIR": ""], "/run/user/\(getuid())/pixelboop/control.sock"),
    ])
    func `the socket is where the environment says`(environment: [String: String], path: String) {
        #expect(SocketPath.standard(environment: environment) == path)
    }
}
