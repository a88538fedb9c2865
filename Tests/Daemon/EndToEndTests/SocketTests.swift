import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import TestNeeds
import TestSupport
import Testing

/// The control socket in the file system: its owner, and who may connect.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SocketTests {
    private static let nobody: uid_t = 65534
    /// The group `daemon` of every Linux system.
    private static let group: gid_t = 1

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func directory(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    @Test func `only its owner may connect`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        #expect(mode(daemon.socketPath) == 0o600)
        #expect(mode(directory(of: daemon.socketPath)) == 0o700)
        #expect(mode(daemon.stateDirectory.path) == 0o700)
        #expect(await daemon.end(with: SIGTERM) == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.socketPath))
    }

    @Test func `a socket that a killed daemon left is replaced`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
        #expect(FileManager.default.fileExists(atPath: daemon.socketPath))
        try await daemon.start()
        try await daemon.connect().ping()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a second daemon on the same socket refuses to start and names it`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let (code, _, said) = try await ChildProgram(
            DaemonProcess.executable, ["--socket", daemon.socketPath, "--state-dir", daemon.directory.path]
        ).run()
        #expect(code != 0)
        #expect(said.contains(daemon.socketPath))
        try await daemon.connect().ping()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a second daemon on the same session refuses to start and names the first`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let second = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--state-dir", daemon.stateDirectory.path])
        let failure = await #expect(throws: DaemonProcess.Failure.self) { try await second.start() }
        let process = await daemon.identifier
        #expect(
            failure?.log.contains("\(daemon.stateDirectory.path) is in use by another pixelboopd (process \(process))")
                == true)
        try await daemon.connect().ping()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test(.needs(.otherUsers))
    func `another user is refused even if the file permissions allow it`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        chmod(directory(of: daemon.socketPath), 0o755)
        chmod(daemon.socketPath, 0o666)
        #expect(try await greeting(daemon.socketPath, user: Self.nobody, group: Self.nobody) == "")
        #expect(await daemon.says("refused a client of another user"))
        #expect(try await greeting(daemon.socketPath, user: 0, group: 0).contains("welcome"))
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test(.needs(.otherUsers))
    func `members of the group may connect and others may not`() async throws {
        let name = String(cString: getgrgid(Self.group).pointee.gr_name)
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--socket-group", name])
        try await daemon.start()
        #expect(mode(daemon.socketPath) == 0o660)
        #expect(mode(directory(of: daemon.socketPath)) == 0o750)
        #expect(try await greeting(daemon.socketPath, user: Self.nobody, group: Self.group).contains("welcome"))
        await #expect(throws: POSIXError.self) {
            try await greeting(daemon.socketPath, user: Self.nobody, group: Self.nobody)
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    /// Connects as another user.
    ///
    /// - Returns: What the daemon sends first, empty if it hangs up.
    @discardableResult
    private func greeting(_ path: String, user: uid_t, group: gid_t) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                // In the kernel user IDs belong to threads; only the C library changes those of a whole process.
                guard systemCall(SystemCallNumber.setresgid, -1, Int(group), -1) == 0,
                    systemCall(SystemCallNumber.setresuid, -1, Int(user), -1) == 0
                else { return continuation.resume(throwing: CocoaError(.fileReadNoPermission)) }
                let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(descriptor) }
                guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
                    return continuation.resume(throwing: POSIXError(.init(rawValue: errno) ?? .EIO))
                }
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = max(0, read(descriptor, &buffer, buffer.count))
                continuation.resume(returning: String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
    }
}
