import DaemonTestSupport
import Foundation
import Glibc
import Music
import PixelBoopClient
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
        #expect(await daemon.log.contains("memory stays in RAM") == isAll)
        #expect(await daemon.log.contains("stay in RAM once they are used; no more than") == !isAll)
        #expect(try (value(of: "VmLck:") != "0") == (isAll || limit.rlim_cur > 0))
        #expect(await daemon.end(with: SIGTERM) == 0)
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
