import DaemonTestSupport
import Foundation
import Music
import PixelBoopClient
import TestNeeds
import TestSupport
import Testing
import Wire

/// Disks that fail under the daemon: editing continues, clients and the log are told, and writing resumes by itself.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DiskTests {
    private static let failing = "cannot store the session"
    private static let stored = "the session is stored"
    /// Bytes: room for two copies of a session with a full history, as snapshots need.
    private static let diskSize = 1 << 20

    private func waitUntilFailing(_ client: PixelBoopClient, _ daemon: DaemonProcess, reason: String) async throws {
        try await client.waitForState { $0.storage.status == .failing && $0.storage.reason.contains(reason) }
        #expect(await daemon.says(Self.failing))
    }

    private func waitUntilStored(_ client: PixelBoopClient, _ daemon: DaemonProcess) async throws {
        try await client.waitForState { $0.storage == StorageState() }
        #expect(await daemon.says(Self.stored))
    }

    private func edit(_ client: PixelBoopClient, notes: Range<Int>, _ velocity: Velocity = .accent) async throws {
        for note in notes {
            for step in 0..<SlotNotes.stepCount { try await client.setNote(.rhythm, step: step, note: note, velocity) }
        }
    }

    /// Kills the daemon and starts it again.
    ///
    /// - Returns: The pattern that it found.
    private func restart(_ daemon: DaemonProcess) async throws -> Pattern {
        #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
        try await daemon.start()
        return try await daemon.connect().pattern()
    }

    @Test(.needs(.smallDisk))
    func `on a full disk editing continues and everything is written once there is room`() async throws {
        let disk = try SmallDisk(size: Self.diskSize)
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", in: URL(filePath: disk.path))
        try await daemon.start()
        let client = try await daemon.connect()
        try disk.fill()
        // More than fits into the pages that are there.
        try await edit(client, notes: 0..<Track.noteCount)
        try await waitUntilFailing(client, daemon, reason: "No space left on device")
        try await client.setTempo(97)
        #expect(try await client.pattern().bpm == 97)
        await #expect(throws: ClientError.self) { try await client.save("full") }

        try disk.empty()
        try await waitUntilStored(client, daemon)
        let edited = try await client.pattern()
        #expect(try await restart(daemon) == edited)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test(.needs(.smallDisk))
    func `a daemon that cannot store its last changes reports that and fails`() async throws {
        let disk = try SmallDisk(size: Self.diskSize)
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", in: URL(filePath: disk.path))
        try await daemon.start()
        let client = try await daemon.connect()
        try disk.fill()
        try await edit(client, notes: 0..<Track.noteCount)
        try await waitUntilFailing(client, daemon, reason: "No space left on device")
        #expect(await daemon.end(with: SIGTERM) == 1)
        #expect(await daemon.log.contains("the last changes could not be stored and are lost"))
        #expect(await daemon.log.contains("pixelboopd: ended without storing the last changes"))
    }

    @Test(arguments: [false, true])
    func `a directory that cannot be made is reported from the start and the session written once it can`(
        isClockSetBack: Bool
    ) async throws {
        let library = try PreloadedLibrary.waitingOnClockSetBack()
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", environment: isClockSetBack ? ["LD_PRELOAD": library.path] : [:])
        try Data().write(to: daemon.stateDirectory)
        try await daemon.start()
        let client = try await daemon.connect()
        try await waitUntilFailing(client, daemon, reason: daemon.stateDirectory.path)
        try await client.setTempo(97)

        try FileManager.default.removeItem(atPath: daemon.stateDirectory.path)
        try await waitUntilStored(client, daemon)
        #expect(try await restart(daemon).bpm == 97)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a disk that hangs under the connections delays neither the end nor the last edits`() async throws {
        let library = try PreloadedLibrary.hangingUnderConnections()
        try await Stage.with(environment: ["LD_PRELOAD": library.path]) { stage in
            let client = try await stage.connect()
            #expect(await stage.daemon.says("hanging"))
            try await client.setTempo(97)
            #expect(await stage.daemon.end(with: SIGTERM) == 0)
            try await stage.daemon.start()
            #expect(try await stage.connect().pattern().bpm == 97)
        }
    }

    @Test func `a damaged session is reported, set aside and no reason not to start`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        var generator = SeededGenerator(seed: 5)
        for round in 0..<4 {
            try await daemon.start()
            try await edit(try await daemon.connect(), notes: 0..<1, round % 2 == 0 ? .accent : .off)
            #expect(await daemon.end(with: SIGTERM) == 0)
            let database = daemon.stateDirectory.appending(path: "session.db")
            var content = try Data(contentsOf: database)
            // All tables, but not the first page.
            for offset in 4096..<content.count { content[offset] ^= .random(in: 1...255, using: &generator) }
            try content.write(to: database)
            try await daemon.start()
            #expect(await daemon.log.contains("session.db is damaged: "))
            let client = try await daemon.connect()
            try await client.waitForState { $0.storage.reason.contains("set aside") }
            try await client.setTempo(97)
            #expect(try await client.state().state.storage.status == .running)
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: daemon.stateDirectory.path)
        #expect(names.filter { $0.hasPrefix("session-aside-") && $0.hasSuffix(".db") }.count == 4)
    }

    @Test func `a disk that hangs at the start delays neither the start nor the end, and its session comes later`()
        async throws
    {
        let library = try PreloadedLibrary.hangingUnderSession()
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", environment: ["LD_PRELOAD": library.path])
        try await daemon.start()
        try await daemon.connect().setTempo(97)
        #expect(await daemon.end(with: SIGTERM) == 0)
        let gate = daemon.stateDirectory.appending(path: "hang")
        try Data().write(to: gate)
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.storage.status == .failing && $0.storage.reason.contains("does not answer") }
        #expect(try await client.pattern().bpm != 97)
        try FileManager.default.removeItem(at: gate)
        try await waitUntilStored(client, daemon)
        #expect(try await client.pattern().bpm == 97)
        try Data().write(to: gate)
        try await client.setTempo(98)
        #expect(await daemon.end(with: SIGTERM) == 1)
        try FileManager.default.removeItem(at: gate)
    }
}

extension PreloadedLibrary {
    /// Lets no wait end that lasts until a time of the wall clock, as if that had been set back by hours.
    fileprivate static func waitingOnClockSetBack() throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            #include <semaphore.h>
            int sem_timedwait(sem_t *semaphore, const struct timespec *end) { return sem_wait(semaphore); }
            """)
    }

    /// Never ends the flush of the file of connections, and says so.
    fileprivate static func hangingUnderConnections() throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            #include <pthread.h>
            #include <string.h>
            int fsync(int descriptor) {
                char name[16];
                int (*flush)(int) = dlsym(RTLD_NEXT, "fsync");
                pthread_getname_np(pthread_self(), name, sizeof name);
                if (strcmp(name, "connections")) return flush(descriptor);
                if (write(2, "hanging\\n", 8)) {}
                for (;;) pause();
            }
            """)
    }

    /// Reads and flushes nothing on the storage thread while a file of the name `hang` is beside the session.
    fileprivate static func hangingUnderSession() throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            #include <pthread.h>
            #include <stdio.h>
            #include <string.h>
            static void pass(int descriptor) {
                char name[16], link[64], path[4200] = "";
                pthread_getname_np(pthread_self(), name, sizeof name);
                if (strcmp(name, "storage")) return;
                snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
                if (readlink(link, path, 4000) <= 0) return;
                char *slash = strrchr(path, '/');
                if (!slash || strncmp(slash, "/session.db", 11)) return;
                strcpy(slash, "/hang");
                while (!access(path, F_OK)) usleep(1000);
            }
            ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
                ssize_t (*function)(int, void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
                pass(descriptor);
                return function(descriptor, bytes, count, offset);
            }
            int fdatasync(int descriptor) {
                int (*function)(int) = dlsym(RTLD_NEXT, "fdatasync");
                pass(descriptor);
                return function(descriptor);
            }
            """)
    }
}
