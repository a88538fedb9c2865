import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import TestSupport
import Testing

/// A daemon that may open few files.
@Suite(.serialized, .timeLimit(.minutes(1))) struct OpenFilesTests {
    private static let limit = 100
    /// The clients that the limit leaves room for.
    private static let room = 20

    private func daemon() async throws -> DaemonProcess {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", openFiles: Self.limit)
        try await daemon.start()
        return daemon
    }

    @Test func `as many clients as files suffice for are served, others refused, and the daemon's own work continues`()
        async throws
    {
        let daemon = try await daemon()
        #expect(await daemon.says("allows only \(Self.room) clients"))
        let player = try await daemon.connect()
        var clients: [RawClient] = []
        for _ in 1..<Self.room { clients.append(try RawClient(path: daemon.socketPath)) }
        for client in clients { #expect(await client.line()?.contains("welcome") == true) }
        // Many more than there are files.
        let others = try (0..<2 * Self.limit).map { _ in try RawClient(path: daemon.socketPath) }
        for other in others {
            #expect(await other.line()?.contains("-32004") == true)
            #expect(await other.line() == nil)
        }

        try await player.setTempo(97)
        try await player.save("kept")
        let file = daemon.directory.appending(path: "kept.wav")
        _ = try await player.exportWAV(to: file.path)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try await player.state().state.storage.status == .running)

        clients.removeLast().hangUp()
        try await waitUntil { try await player.statistics().clients.count < Self.room }
        #expect(await (try RawClient(path: daemon.socketPath)).line()?.contains("welcome") == true)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a new configuration does not raise the number`() async throws {
        let daemon = try await daemon()
        await daemon.send(SIGHUP)
        #expect(await daemon.says("the configuration was reloaded"))
        let clients = try (0..<Self.room).map { _ in try RawClient(path: daemon.socketPath) }
        for client in clients { #expect(await client.line()?.contains("welcome") == true) }
        #expect(await (try RawClient(path: daemon.socketPath)).line()?.contains("-32004") == true)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `without a file for a client accepting pauses, and resumes when there is one`() async throws {
        let daemon = try await daemon()
        let player = try await daemon.connect()
        // It has opened all that it needs by then.
        #expect(await daemon.says("no JACK server"))
        let process = await daemon.identifier
        // Fewer than it has open.
        try FileLimit.limit(process, to: 5)
        let client = try RawClient(path: daemon.socketPath)
        #expect(await daemon.says("cannot accept clients: "))
        let before = try ThreadTimes(of: process)
        // Nothing happens meanwhile that could be awaited.
        try await Task.sleep(for: .seconds(2))
        let times = try ThreadTimes(of: process).milliseconds(since: before)
        #expect(times.reduce(0) { $0 + $1.milliseconds } < 400, "\(times)")
        try await player.ping()
        try FileLimit.limit(process, to: Self.limit)
        #expect(await client.line()?.contains("welcome") == true)
        #expect(await daemon.says("clients can be accepted again"))
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
