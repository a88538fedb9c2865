import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing

/// jack2's `jack_client_close` can hang after a server died (its issue 395), and holds the lock that all clients need.
@Suite(.timeLimit(.minutes(5))) struct StuckLibraryTests {
    @Test func `a library that does not let go of a dead server starves the watchdog`() async throws {
        try await JackServer.with { server in
            let manager = try ManagerSocket()
            let library = try PreloadedLibrary.hanging(holdsLock: true)
            let daemon = try DaemonProcess(
                jackServer: server.name,
                environment: [
                    "LD_PRELOAD": library.path, "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000",
                    "PIXELBOOP_JACK_PATIENCE": "call=500",
                ])
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            for _ in 0..<3 { #expect(await manager.notice("WATCHDOG=1") != nil) }
            await server.kill()
            #expect(await manager.notice("restart pixelboopd to get sound") != nil)
            #expect(await manager.starves())
            try await client.ping()
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }

    @Test func `a client that cannot be closed does not stop the next one from connecting`() async throws {
        // A synchronous server would wait for the client that is never closed.
        try await JackServer.with(isSynchronous: false) { server in
            let library = try PreloadedLibrary.hanging(holdsLock: false)
            let daemon = try DaemonProcess(
                jackServer: server.name,
                environment: ["LD_PRELOAD": library.path, "PIXELBOOP_JACK_PATIENCE": "call=500"])
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await client.play()
            for _ in 0..<2 {
                await server.kill()
                try await client.waitForState { $0.audio.status == .lost }
                try await server.start()
                try await client.waitForState { $0.audio.status == .running }
                try await client.waitForStep()
            }
            #expect(await daemon.end(with: SIGTERM) == 0)
            #expect(await daemon.log.contains("JACK did not close the client in time"))
        }
    }
}

extension PreloadedLibrary {
    /// Replaces JACK's function for closing clients with one that never returns.
    ///
    /// - Parameter holdsLock: Whether no client can be opened either, once one is being closed.
    fileprivate static func hanging(holdsLock: Bool) throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            static volatile int locked;
            int jack_client_close(void *client) { for (locked = \(holdsLock ? 1 : 0);;) pause(); }
            void *jack_client_open(const char *name, int options, int *status, const char *server) {
                while (locked) pause();
                void *(*open)(const char *, int, int *, ...) = dlsym(RTLD_NEXT, "jack_client_open");
                return open(name, options, status, server);
            }
            """)
    }
}
