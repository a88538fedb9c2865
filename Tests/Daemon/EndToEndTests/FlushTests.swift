import DaemonTestSupport
import Foundation
import Music
import PixelBoopClient
import TestSupport
import Testing

/// What the daemon asks the system to keep through a power cut.
@Suite(.timeLimit(.minutes(1))) struct FlushTests {
    /// Logs what was flushed, and what is about to get another name.
    private static let reports = """
        #include <stdio.h>
        static int flush(const char *name, int descriptor) {
            int (*function)(int) = dlsym(RTLD_NEXT, name);
            int result = function(descriptor);
            char link[64], path[4096] = "";
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            if (result == 0 && readlink(link, path, sizeof path - 1) > 0) dprintf(2, "flushed %s\\n", path);
            return result;
        }
        int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }
        int fsync(int descriptor) { return flush("fsync", descriptor); }
        int rename(const char *path, const char *name) {
            int (*function)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
            dprintf(2, "renaming %s\\n", path);
            return function(path, name);
        }
        """

    /// The places in a daemon's log of what was done with a file.
    private func places(_ action: String, _ name: String, in daemon: DaemonProcess) async -> [Int] {
        let lines = await daemon.log.split(separator: "\n")
        return lines.indices.filter { lines[$0].hasPrefix(action) && lines[$0].hasSuffix("/state\(name)") }
    }

    @Test func `an edit's log is flushed, a new database before it is renamed, and its folder afterwards`()
        async throws
    {
        let library = try PreloadedLibrary(Self.reports)
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", environment: ["LD_PRELOAD": library.path])
        try await daemon.start()
        let flushed = try #require(await places("flushed", "/session-new.db", in: daemon).first)
        let renaming = try #require(await places("renaming", "/session-new.db", in: daemon).first)
        let folder = try #require(await places("flushed", "", in: daemon).last)
        #expect(flushed < renaming && renaming < folder)

        let logs = await places("flushed", "/session.db-wal", in: daemon)
        let client = try await daemon.connect()
        try await client.setNote(.bass, step: 0, note: 0, .accent)
        try await waitUntil {
            try await client.ping()
            return await places("flushed", "/session.db-wal", in: daemon) != logs
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
