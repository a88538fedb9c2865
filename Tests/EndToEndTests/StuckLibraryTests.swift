import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import Testing

/// jack2's `jack_client_close` can hang after a server died (its issue 395): then only a new process plays again.
@Suite struct StuckLibraryTests {
    @Test func aLibraryThatDoesNotLetGoOfADeadServerStarvesTheWatchdog() async throws {
        try await JackServer.with { server in
            let manager = try NotificationSocket()
            let library = try await HangingLibrary()
            let daemon = try DaemonProcess(
                jackServer: server.name,
                environment: [
                    "LD_PRELOAD": library.path, "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000",
                ])
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            for _ in 0..<3 { #expect(await manager.wait(for: "WATCHDOG=1")) }
            await server.kill()
            #expect(await manager.wait(for: "only a restart brings sound back"))
            // One may have been under way. Ten times as long as it takes to feed it once, nothing more comes.
            var fed = 0
            while let notice = await manager.next(within: .seconds(2)) { if notice.contains("WATCHDOG=1") { fed += 1 } }
            #expect(fed <= 1)
            try await client.ping()
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }
}

/// The other end of `NOTIFY_SOCKET`.
private final class NotificationSocket: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString).sock").path
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno)!) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The next notice; nil when none comes in time.
    func next(within limit: Duration) async -> String? {
        await onThread { [descriptor] in
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(limit / .milliseconds(1))) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }
    }

    /// Reads on to a notice that contains a text; false when none comes for 10 s.
    func wait(for text: String) async -> Bool {
        while let notice = await next(within: .seconds(10)) { if notice.contains(text) { return true } }
        return false
    }
}

/// A library that takes the place of one of JACK's functions, and never returns from it.
private final class HangingLibrary: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString).so").path

    init() async throws {
        let source = """
            #include <unistd.h>
            int jack_client_close(void *client) { for (;;) pause(); }
            """
        let status = try await onThread { [path] in
            Result {
                let compiler = Process()
                compiler.executableURL = URL(filePath: "/usr/bin/env")
                compiler.arguments = ["clang", "-shared", "-fPIC", "-o", path, "-x", "c", "-"]
                let input = Pipe()
                compiler.standardInput = input
                try compiler.run()
                try input.fileHandleForWriting.write(contentsOf: Data(source.utf8))
                try input.fileHandleForWriting.close()
                compiler.waitUntilExit()
                return compiler.terminationStatus
            }
        }.get()
        try #require(status == 0)
    }

    deinit { unlink(path) }
}
