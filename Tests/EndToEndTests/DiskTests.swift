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
        // More than fits into the page that the journal begins with.
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

    /// The part before the damage is restored, and the rest reported and set aside.
    @Test func `damaged files are reported and do not prevent the start`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        var generator = SeededGenerator(seed: 5)
        for round in 0..<8 {
            try await daemon.start()
            try await edit(try await daemon.connect(), notes: 0..<1, round % 2 == 0 ? .accent : .off)
            #expect(await daemon.end(with: SIGTERM) == 0)
            let damaged = try damage(in: daemon.stateDirectory.path, using: &generator)
            try await daemon.start()
            #expect(await daemon.log.contains("\(damaged): dropped "), "\(damaged)")
            let client = try await daemon.connect()
            try await client.setTempo(97)
            #expect(try await client.state().state.storage.status == .running)
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: daemon.stateDirectory.path)
        #expect(names.contains { $0.hasPrefix("set-aside-") })
    }

    /// Flips a bit in a file that a restart reads, or truncates it.
    ///
    /// - Returns: The file's name.
    private func damage(in directory: String, using generator: inout SeededGenerator) throws -> String {
        func generation(_ name: String) -> Int { Int(name.split { "-.".contains($0) }[1])! }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("session-") }
        let newest = names.map(generation).max()!
        let name = names.filter { generation($0) == newest }.sorted().randomElement(using: &generator)!
        let file = URL(filePath: directory).appending(path: name)
        var content = try Data(contentsOf: file)
        if Bool.random(using: &generator) {
            content[.random(in: content.indices, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        } else {
            // Not at the end of a journal's record: all records are longer.
            content.removeLast(.random(in: 1...8, using: &generator))
        }
        try content.write(to: file)
        return name
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
}
