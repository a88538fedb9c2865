import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// The daemon's memory is there when the audio thread needs it.
@Suite(.timeLimit(.minutes(1))) struct MemoryTests {
    @Test func `memory is locked if that is allowed, and the log reports it`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let process = await daemon.identifier
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        func value(of name: String) throws -> Substring {
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
            return try #require(line.split { " \t".contains($0) }.dropFirst().first)
        }
        // The daemon inherits the test's limit. CAP_IPC_LOCK and CAP_SYS_NICE free root from it, but a container may lack them.
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
        let capabilities = try #require(UInt64(value(of: "CapEff:"), radix: 16))
        let privileges: UInt64 = 1 << 14 | 1 << 23
        let isAll = limit.rlim_cur == rlim_t.max || capabilities & privileges == privileges
        // With a limit, that waits until JACK is there.
        #expect(await daemon.log.contains("memory stays in RAM") == isAll)
        #expect(try (value(of: "VmLck:") != "0") == isAll)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    /// The usual limit without configuration, for a process without privileges.
    private static let limited = [
        "prlimit", "--memlock=\(8 << 20)", "setpriv", "--inh-caps=-ipc_lock", "--bounding-set=-ipc_lock",
    ]

    private static let canLimit = ChildProgram.succeeds(limited + ["true"])

    @Test(.enabled(if: canLimit, "needs prlimit, and the right to give up CAP_IPC_LOCK"))
    func `under a limit the engine's memory is locked, and there is room for JACK, whenever the server comes back`()
        async throws
    {
        try await JackServer.with(period: 64, isSynchronous: false) { server in
            let daemon = try DaemonProcess(jackServer: server.name, wrapper: Self.limited)
            try await daemon.start()
            let client = try await daemon.connect()
            for _ in 0..<3 {
                try await client.waitForState { $0.audio.status == .running }
                #expect(
                    await daemon.log.contains("stay in RAM once they are used; no more than 8192 KiB may be locked"))
                let process = await daemon.identifier
                let locked = try Self.lockedBytes(of: process)
                #expect(locked.total > 0 && locked.total <= 7 << 20)
                // What was allocated since; the engine alone has more than a megabyte.
                #expect(locked.unlocked < 1 << 20)
                await server.stop()
                try await client.waitForState { $0.audio.status != .running }
                try await server.start()
            }
            #expect(await !daemon.log.contains("refused the client"))
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }

    /// How much of a process's memory is locked, and how much of its private writable memory is in RAM but not locked,
    /// except stacks, which have an inaccessible page below.
    private static func lockedBytes(of process: pid_t) throws -> (total: Int, unlocked: Int) {
        let map = try String(contentsOfFile: "/proc/\(process)/smaps", encoding: .utf8)
        var (total, unlocked, header, before, size, resident) = (0, 0, "", "", 0, 0)
        for line in map.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words[0] {
            case "Size:": size = (Int(words[1]) ?? 0) << 10
            case "Rss:": resident = (Int(words[1]) ?? 0) << 10
            case "VmFlags:":
                let isData =
                    header.contains("rw-p") && (header.split(separator: " ").count == 5 || header.hasSuffix("]"))
                if words.contains("lo") {
                    total += size
                } else if isData, !before.contains("---p") {
                    unlocked += resident
                }
            default:
                if !words[0].hasSuffix(":") { (before, header) = (header, String(line)) }
            }
        }
        return (total, unlocked)
    }

    @Test func `the audio thread takes no page faults while everything plays`() async throws {
        try await Stage.with(period: 64, isSynchronous: false) { stage in
            let client = try await stage.connect()
            try await client.setPattern(Self.everything)
            let events = try await client.subscribe(to: [.step])
            try await client.play()
            var steps = 0
            var faults: [Int] = []
            // Three seconds, of which the first may have some.
            for try await event in events {
                guard case .step = event else { continue }
                steps += 1
                if steps.isMultiple(of: 20) { faults.append(try Self.audioFaults(of: await stage.daemon.identifier)) }
                if steps == 60 { break }
            }
            #expect(faults.first == faults.last)
            #expect(try #require(faults.first) > 0)
        }
    }

    @Test func `threads share a heap, because each heap keeps what its busiest moment needed`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                let client = try await daemon.connect()
                group.addTask { _ = try await client.exportWAV(to: "\(daemon.directory.path)/\(number).wav") }
            }
            try await group.waitForAll()
        }
        // Threads that started before the daemon could set this have their own.
        #expect(try Self.heaps(of: await daemon.identifier) <= 3)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    /// How many heaps a process has besides the first one: each is the used part of 64 MiB that are reserved for it.
    private static func heaps(of process: pid_t) throws -> Int {
        let size: UInt = 64 << 20
        let map = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        let regions = map.split(separator: "\n").map { line in
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").map { UInt($0, radix: 16) ?? 0 }
            return (start: ends[0], end: ends[1], rights: fields[1])
        }
        return zip(regions, regions.dropFirst()).count { used, kept in
            used.rights == "rw-p" && kept.rights == "---p" && used.start.isMultiple(of: size)
                && used.end == kept.start && kept.end == used.start + size
        }
    }

    /// Every cell of every track, at 20 steps a second.
    private static var everything: Pattern {
        var pattern = Pattern()
        pattern.bpm = 300
        for track in Track.allCases {
            for step in 0..<pattern.length {
                for note in 0..<12 where track != .melody || note == step % 12 {
                    pattern[track, note, step] = .accent
                }
            }
        }
        return pattern
    }

    /// Page faults of the thread that runs the process callback, since it was started (proc_pid_stat(5)).
    private static func audioFaults(of process: pid_t) throws -> Int {
        let tasks = "/proc/\(process)/task"
        for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let stat = try String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)
            guard stat.contains("(jack-process)"), let end = stat.lastIndex(of: ")") else { continue }
            let fields = stat[end...].split(separator: " ").dropFirst()
            let numbers = fields.map { Int($0) ?? 0 }
            return numbers[7] + numbers[9]
        }
        throw CocoaError(.fileReadNoSuchFile)
    }
}
