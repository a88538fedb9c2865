import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import Testing

/// jack2's `jack_client_close` can hang after a server died (its issue 395): then only a new process plays again.
@Suite struct StuckLibraryTests {
    @Test func `a library that does not let go of a dead server starves the watchdog`() async throws {
        try await JackServer.with { server in
            let manager = try ManagerSocket()
            let library = try await HangingLibrary()
            let daemon = try DaemonProcess(
                jackServer: server.name,
                environment: [
                    "LD_PRELOAD": library.path, "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000",
                ])
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            for _ in 0..<3 { #expect(await manager.notice("WATCHDOG=1") != nil) }
            await server.kill()
            #expect(await manager.notice("only a restart brings sound back") != nil)
            // One may have been under way. Ten times as long as it takes to feed it once, nothing more comes.
            var fed = 0
            while let notice = await manager.notice(within: .seconds(2)) {
                if notice.contains("WATCHDOG=1") { fed += 1 }
            }
            #expect(fed <= 1)
            try await client.ping()
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
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
