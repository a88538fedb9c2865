import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import Testing

/// The daemon under a service manager, played by the test.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServiceManagerTests {
    private let manager: ManagerSocket
    private let daemon: DaemonProcess

    init() throws {
        manager = try ManagerSocket()
        daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody",
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000"])
    }

    @Test func `it is ready when clients can connect, and reports when it reloads and stops`() async throws {
        async let started: Void = daemon.start()
        #expect(await manager.notice("READY=1") != nil)
        let client = try RawClient(path: daemon.socketPath)
        #expect(await client.line()?.contains("welcome") == true)
        try await started

        #expect(await manager.notice("STATUS=")?.contains("no sound") == true)
        await daemon.send(SIGHUP)
        let reloading = await manager.notice("RELOADING=1")
        #expect(reloading?.contains("\nMONOTONIC_USEC=") == true)
        #expect(await manager.notice("READY=1") != nil)

        async let status = daemon.end(with: SIGTERM)
        #expect(await manager.notice("STOPPING=1") != nil)
        #expect(await status == 0)
    }

    @Test func `reloads in quick succession come to an end`() async throws {
        try await daemon.start()
        #expect(await manager.notice("READY=1") != nil)
        for _ in 0..<100 { await daemon.send(SIGHUP) }
        #expect(await manager.notice("RELOADING=1") != nil)
        #expect(await manager.notice("READY=1") != nil)
        _ = try await daemon.connect()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `the watchdog is not fed while the control loop hangs and is again when it resumes`() async throws {
        try await daemon.start()
        #expect(await manager.notice("WATCHDOG=1") != nil)
        let loop = try await StoppedThread("NIO-ELT", of: daemon.identifier)
        #expect(await manager.starves())
        loop.resume()
        #expect(await manager.notice("WATCHDOG=1") != nil)
        _ = try await daemon.connect()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `without JACK it is ready, says what plays, and is not fed while its audio thread stalls`() async throws
    {
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--driver", "internal"],
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000"])
        try await daemon.start()
        var missing: Set = ["READY=1", "STATUS=internal driver: 48000 Hz"]
        while !missing.isEmpty {
            let notice = try #require(await manager.notice(), "\(missing) did not come")
            missing = missing.filter { !notice.contains($0) }
        }
        #expect(await manager.notice("WATCHDOG=1") != nil)
        let audio = try await StoppedThread("internal-audio", of: daemon.identifier)
        // Periods that it had just rendered count once more.
        #expect(await manager.starves(afterAtMost: 2))
        audio.resume()
        #expect(await manager.notice("WATCHDOG=1") != nil)
        async let status = daemon.end(with: SIGTERM)
        #expect(await manager.notice("STOPPING=1") != nil)
        #expect(await status == 0)
    }

    @Test func `a passed socket is served, earlier connections too, and is left in place`() async throws {
        let path = daemon.directory.appending(path: "passed.sock").path
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let listener = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try #require(withUnixAddress(path) { bind(descriptor, $0, $1) } == 0)
        try #require(listen(descriptor, 8) == 0)
        let early = try RawClient(path: path)

        try await daemon.start(passing: listener)
        #expect(await early.line()?.contains("welcome") == true)
        _ = try await PixelBoopClient.connect(to: path)
        #expect(!FileManager.default.fileExists(atPath: daemon.socketPath))
        #expect(await daemon.end(with: SIGTERM) == 0)
        #expect(FileManager.default.fileExists(atPath: path))

        // The manager keeps the socket open: a client that connects now is served by the next daemon.
        let late = try RawClient(path: path)
        try await daemon.start(passing: listener)
        #expect(await late.line()?.contains("welcome") == true)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
