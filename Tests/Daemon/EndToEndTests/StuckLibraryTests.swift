import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing

/// jack2's `jack_client_close` can hang after a server died (its issue 395), and holds the lock that all clients need.
@Suite(.timeLimit(.minutes(1))) struct StuckLibraryTests {
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

    @Test func `a call that hangs while a connection is missing takes no processor time`() async throws {
        let directory = try TemporaryDirectory()
        let library = try PreloadedLibrary.hanging(onceThereIs: directory.file("hang"))
        let environment = ["LD_PRELOAD": library.path, "PIXELBOOP_JACK_PATIENCE": "doubt=4000"]
        try await Stage.with(isSynchronous: false, environment: environment) { stage in
            let client = try await stage.connect()
            try await waitUntil { try await client.ports().first?.connections == ["system:playback_1"] }
            try await JackTool.run("jack_disconnect", "pixelboop:main_L", "system:playback_1", on: stage.server)
            try await waitUntil { try await client.ports().first?.connections == [] }
            try directory.write("", to: "hang")
            // By the end of this time it is no longer in doubt that the user removed the connection.
            try await Task.sleep(for: .seconds(5))
            let before = try ThreadTimes(of: await stage.daemon.identifier)
            try await Task.sleep(for: .seconds(1))
            let used = try ThreadTimes(of: await stage.daemon.identifier).milliseconds(since: before)
            let supervisor = used.first { $0.name == "jack" }?.milliseconds
            #expect(try #require(supervisor) < 50, "\(used)")
        }
    }
}

extension PreloadedLibrary {
    /// Replaces JACK's function for closing clients with one that never returns. The process's exit would wait for it.
    ///
    /// - Parameter holdsLock: Whether no client can be opened either, once one is being closed.
    fileprivate static func hanging(holdsLock: Bool) throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            static volatile int locked, hangs;
            __attribute__((destructor)) static void wait_for_calls(void) { while (hangs) pause(); }
            int jack_client_close(void *client) { for (hangs = 1, locked = \(holdsLock ? 1 : 0);;) pause(); }
            void *jack_client_open(const char *name, int options, int *status, const char *server) {
                while (locked) pause();
                void *(*open)(const char *, int, int *, ...) = dlsym(RTLD_NEXT, "jack_client_open");
                return open(name, options, status, server);
            }
            """)
    }

    /// Replaces the function with which the graph is read with one that never returns, once there is a file.
    fileprivate static func hanging(onceThereIs path: String) throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            const char **jack_get_ports(void *client, const char *name, const char *type, unsigned long flags) {
                const char **(*get)(void *, const char *, const char *, unsigned long) =
                    dlsym(RTLD_NEXT, "jack_get_ports");
                while (access("\(path)", F_OK) == 0) pause();
                return get(client, name, type, flags);
            }
            """)
    }
}
