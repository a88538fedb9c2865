import Foundation
import Glibc
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import Takes

/// Takes on disk.
@Suite(.timeLimit(.minutes(2))) struct TakeStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What a store reports.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        func add(_ entry: String) { entries.withLock { $0.append(entry) } }

        var all: [String] { entries.withLock { $0 } }

        var reports: TakeStore.Reports {
            TakeStore.Reports(
                onStatus: { [self] status in
                    switch status {
                    case .keeping: add("keeping")
                    case .stopped(let reason): add("stopped: \(reason)")
                    }
                }, onSetAside: { [self] name, reason in add("aside: \(name.prefix(12)): \(reason)") })
        }
    }

    private func head(_ name: String = "") -> TakeHead {
        TakeHead(engineVersion: 3, architecture: "x86_64", sampleRate: 48_000, began: 1_767_357_296, pattern: name)
    }

    private func store(_ log: Log = Log(), _ change: (inout TakeStore.Options) -> Void = { _ in }) throws -> TakeStore {
        var options = TakeStore.Options()
        // Commits only when something is asked, and at the end.
        (options.commitInterval, options.checkpointInterval) = (.seconds(60), .seconds(60))
        change(&options)
        return try TakeStore(in: directory.path, options, log.reports)
    }

    /// Stores a take of some bytes; returns its number.
    @discardableResult
    private func record(
        _ name: String = "", seconds: Int64 = 60, hasPlayed: Bool = true, bytes: [UInt8] = [1, 2, 3],
        in store: TakeStore
    ) async throws -> Int64 {
        store.begin(head(name))
        store.add(bytes)
        store.note(TakeProgress(frames: 48_000 * seconds, hasPlayed: hasPlayed))
        store.end()
        return try await store.entries().last?.number ?? 0
    }

    private func content(of number: Int64, in store: TakeStore) async throws -> [UInt8] {
        let inflate = InflateStream()
        var bytes: [UInt8] = []
        var count = 0
        while true {
            let pieces = try await store.pieces(of: number, from: count)
            if pieces.isEmpty { return bytes }
            for piece in pieces {
                #expect(piece.count <= 1 << 16)
                bytes += try inflate.expand(piece)
            }
            count += pieces.count
        }
    }

    private func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in .random(in: 0...255, using: &random) }
    }

    @Test func `a take is kept with its content, and can be read while it is recorded`() async throws {
        let store = try store()
        let bytes = noise(300_000)
        store.begin(head("groove"))
        store.add(Array(bytes[..<200_000]))
        store.note(TakeProgress(frames: 1000))
        let current = try await store.entries()
        #expect(current.map(\.isCurrent) == [true] && current[0].progress.frames == 1000)
        #expect(try await content(of: 1, in: store) == Array(bytes[..<200_000]))
        store.add(Array(bytes[200_000...]))
        store.note(TakeProgress(frames: 960_000, hasPlayed: true, inexactFrom: 500_000))
        store.end()
        #expect(store.close(within: .seconds(10)))
        let other = try self.store()
        let entries = try await other.entries()
        #expect(entries.count == 1)
        #expect(entries[0].head == head("groove") && entries[0].number == 1 && !entries[0].isCurrent)
        #expect(entries[0].progress == TakeProgress(frames: 960_000, hasPlayed: true, inexactFrom: 500_000))
        #expect(try await content(of: 1, in: other) == bytes)
        #expect(other.close(within: .seconds(10)))
    }

    @Test func `the database is for its owner only`() async throws {
        let store = try store()
        try await record(in: store)
        for name in try directory.names {
            let mode = try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try directory.names.contains("takes.db"))
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `numbers count up and are never used again`() async throws {
        var store = try store()
        for _ in 0..<3 { try await record(in: store) }
        #expect(try await store.delete(3))
        #expect(try await !store.delete(3))
        #expect(store.close(within: .seconds(10)))
        store = try self.store()
        #expect(try await record(in: store) == 4)
        #expect(try await store.entries().map(\.number) == [1, 2, 4])
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `the newest takes and sketches are kept, and starred ones for good`() async throws {
        let store = try store { $0.limits = TakeLimits(takes: 3, sketches: 2) }
        for _ in 0..<2 { try await record(in: store) }
        #expect(try await store.star(1, true))
        for _ in 0..<4 { try await record(seconds: 9, hasPlayed: false, in: store) }
        for _ in 0..<5 { try await record(in: store) }
        #expect(try await store.entries().map(\.number) == [1, 5, 6, 9, 10, 11])
        #expect(try await store.star(1, false))
        try await record(in: store)
        #expect(try await store.entries().map(\.number) == [5, 6, 10, 11, 12])
        #expect(try await !store.star(1, true))
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `the oldest go when the database has its size, and the file shrinks`() async throws {
        let log = Log()
        let store = try store(log) { $0.limits.size = 1_000_000 }
        for seed in 1...8 { try await record(bytes: noise(200_000, seed: UInt64(seed)), in: store) }
        let numbers = try await store.entries().map(\.number)
        #expect(numbers.last == 8 && (3...5).contains(numbers.count))
        #expect(numbers == Array(numbers[0]...8))
        #expect(store.close(within: .seconds(10)))
        let size = try FileManager.default.attributesOfItem(atPath: directory.file("takes.db"))[.size] as? Int ?? 0
        #expect(size <= 1_000_000)
        #expect(log.all == [])
    }

    @Test func `when starred takes fill the size, takes stop, until one is deleted`() async throws {
        let roomy = try store()
        for number in 1...2 {
            try await record(bytes: noise(220_000, seed: UInt64(number)), in: roomy)
            #expect(try await roomy.star(Int64(number), true))
        }
        #expect(roomy.close(within: .seconds(10)))
        let log = Log()
        let store = try store(log) { $0.limits.size = 400_000 }
        store.begin(head())
        store.add([1, 2, 3])
        store.end()
        #expect(try await store.entries().map(\.number) == [1, 2])
        #expect(log.all == ["stopped: starred takes fill the 0 MiB that takes may have"])
        #expect(try await store.delete(1))
        #expect(try await record(in: store) == 3)
        #expect(log.all.last == "keeping")
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `a take that alone fills the size ends, and the others stay`() async throws {
        let log = Log()
        let store = try store(log) { $0.limits.size = 400_000 }
        for _ in 0..<2 { try await record(in: store) }
        store.begin(head())
        store.add(noise(500_000))
        #expect(try await store.entries().map(\.isCurrent) == [false, false, false])
        #expect(log.all == ["stopped: the take under way and starred ones fill the 0 MiB that takes may have"])
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `deleted takes free their room on the disk though nothing is recorded`() async throws {
        func sizes() throws -> [Int] {
            try ["takes.db", "takes.db-wal"].map { name in
                try FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int ?? 0
            }
        }
        let store = try store()
        for seed in 1...8 { try await record(bytes: noise(200_000, seed: UInt64(seed)), in: store) }
        for number in 1...7 as ClosedRange<Int64> { #expect(try await store.delete(number)) }
        // The room is freed after the answer.
        _ = try await store.entries()
        #expect(try sizes()[0] < 400_000 && sizes()[1] == 0)
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `a take without content is gone, and a damaged count of takes is repaired`() async throws {
        var store = try store()
        try await record(in: store)
        #expect(store.close(within: .seconds(10)))
        for sequence in [Int64(Int32.max) - 1, Int64(Int32.max), .max, -5] {
            do {
                let database = try Database(directory.file("takes.db"), .readWrite)
                try database.execute("INSERT INTO takes VALUES(9, 1, 1, 'x', 48000, 0, '', 0, 0, NULL, 0, 0, 0)")
                try database.execute("UPDATE sqlite_sequence SET seq = \(sequence)")
            }
            let log = Log()
            store = try self.store(log)
            #expect(try await store.entries().map(\.number) == [1])
            #expect(try await record(in: store) == 2)
            #expect(try await store.delete(2))
            #expect(store.close(within: .seconds(10)))
        }
    }

    @Test(arguments: [17, Int64(Int32.max) - 1, Int64(Int32.max)])
    func `a damaged number costs only its take, and the next one counts on`(number: Int64) async throws {
        var store = try store()
        for _ in 1...3 { try await record(bytes: [7], in: store) }
        #expect(store.close(within: .seconds(10)))
        do {
            let database = try Database(directory.file("takes.db"), .readWrite)
            try database.execute("UPDATE takes SET number = \(number) WHERE number = 2")
            try database.execute("UPDATE takes SET size = 0, ended = 7 WHERE number = 3")
        }
        store = try self.store()
        #expect(try await store.pieces(of: number, from: 0).isEmpty)
        #expect(try await store.entries().map(\.number) == [1, 3])
        #expect(try await record(in: store) == 4)
        #expect(try await record(in: store) == 5)
        #expect(try await content(of: 3, in: store) == [7])
        #expect(try await store.delete(3))
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `a disk that becomes full ends the take and is reported, and later takes are kept again`() async throws {
        let log = Log()
        let disk = Disk(free: 300 << 20)
        let store = try store(log) { $0.freeSpace = { _ in disk.free } }
        store.begin(head())
        store.add(noise(1000))
        #expect(try await store.entries().map(\.isCurrent) == [true])
        disk.free = 255 << 20
        store.add(noise(1000, seed: 2))
        #expect(try await store.entries().map(\.isCurrent) == [false])
        #expect(log.all == ["stopped: the disk is full: 256 MiB of it are left to the session"])
        store.add(noise(1000, seed: 3))
        store.end()
        store.begin(head())
        #expect(try await store.entries().count == 1)
        #expect(try await content(of: 1, in: store) == noise(1000) + noise(1000, seed: 2))
        disk.free = 300 << 20
        #expect(try await record(in: store) == 2)
        #expect(log.all.last == "keeping")
        #expect(store.close(within: .seconds(10)))
    }

    /// A disk with as much free space as a test wants.
    private final class Disk: Sendable {
        private let bytes: Mutex<UInt64>

        init(free: UInt64) { bytes = Mutex(free) }

        var free: UInt64 {
            get { bytes.withLock { $0 } }
            set { bytes.withLock { $0 = newValue } }
        }
    }

    @Test(arguments: ["no database", "newer"])
    func `a database that cannot be used is set aside`(damage: String) async throws {
        if damage == "newer" {
            let store = try store()
            try await record(in: store)
            #expect(store.close(within: .seconds(10)))
            let database = try Database(directory.file("takes.db"), .readWrite)
            try database.execute("PRAGMA user_version = 99")
        } else {
            try directory.write(String(repeating: "no database ", count: 1000), to: "takes.db")
        }
        let log = Log()
        let store = try store(log)
        #expect(try await record(in: store) == 1)
        #expect(log.all.count == 1 && log.all[0].hasPrefix("aside: takes-aside-"))
        #expect(try directory.names.contains { $0.hasPrefix("takes-aside-") })
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `a folder that is gone stops takes and nothing else`() async throws {
        let log = Log()
        let store = try TakeStore(in: directory.file("nowhere"), TakeStore.Options(), log.reports)
        store.begin(head())
        store.add([1])
        store.end()
        await #expect(throws: (any Error).self) { try await store.entries() }
        #expect(log.all.count == 1 && log.all[0].hasPrefix("stopped: cannot use "))
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `more than may wait for the disk ends the take`() async throws {
        let log = Log()
        let store = try store(log) { $0.longestBacklog = 10_000 }
        store.begin(head())
        _ = try await store.entries()
        store.add(noise(1000))
        store.note(TakeProgress(frames: 700, hasPlayed: true))
        store.add(noise(20_000))
        // What follows what is missing is left out.
        store.add([1, 2, 3])
        store.note(TakeProgress(frames: 900, hasPlayed: true))
        #expect(try await store.entries().map(\.isCurrent) == [false])
        #expect(log.all == ["stopped: the disk is too slow"])
        #expect(try await store.entries()[0].progress == TakeProgress(frames: 700, hasPlayed: true))
        #expect(try await content(of: 1, in: store) == noise(1000))
        #expect(store.close(within: .seconds(10)))
    }

    // Swift 6.2 cannot hand the path to the process.
    #if compiler(>=6.3)
        @Test func `what is committed of a take when its process is killed is a take`() async throws {
            let path = directory.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = try TakeStore(in: path)
                store.begin(
                    TakeHead(engineVersion: 1, architecture: "x86_64", sampleRate: 48_000, began: 0, pattern: "killed"))
                var count: UInt32 = 0
                while true {
                    var bytes: [UInt8] = []
                    for _ in 0..<100 {
                        withUnsafeBytes(of: count) { bytes += $0 }
                        count += 1
                    }
                    store.add(bytes)
                    store.note(TakeProgress(frames: Int64(count), hasPlayed: true))
                    if try await store.entries()[0].progress.frames >= 5000 { kill(getpid(), SIGKILL) }
                }
            }
            let store = try store()
            let entries = try await store.entries()
            #expect(entries.count == 1 && !entries[0].isCurrent && entries[0].head.pattern == "killed")
            let bytes = try await content(of: 1, in: store)
            #expect(bytes.count / 4 == Int(entries[0].progress.frames) && bytes.count >= 20_000)
            for index in stride(from: 0, to: bytes.count, by: 4) {
                let value = bytes[index..<index + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                guard value == UInt32(index / 4) else {
                    Issue.record("\(value) at \(index / 4)")
                    break
                }
            }
            #expect(store.close(within: .seconds(10)))
        }
    #endif

    @Test func `a take that could not begin is reported until the next one`() async throws {
        let log = Log()
        let store = try store(log)
        store.miss()
        _ = try await store.entries()
        #expect(log.all == ["stopped: what was played before is not stored yet"])
        try await record(in: store)
        #expect(log.all.last == "keeping")
        #expect(store.close(within: .seconds(10)))
    }

    @Test(arguments: ["content = zeroblob(length(content))", "checksum = checksum + 1", "place = place + 100"])
    func `a damaged piece ends its take`(damage: String) async throws {
        var store = try store()
        let bytes = noise(200_000)
        try await record(bytes: bytes, in: store)
        try await record(bytes: [7], in: store)
        #expect(store.close(within: .seconds(10)))
        do {
            let database = try Database(directory.file("takes.db"), .readWrite)
            try database.execute("UPDATE pieces SET \(damage) WHERE place = \((Int64(1) << 32) + 1)")
        }
        store = try self.store()
        let whole = try await store.pieces(of: 1, from: 0)
        #expect(whole.map(\.count) == [1 << 16])
        #expect(try await store.pieces(of: 1, from: 1).isEmpty)
        #expect(try await content(of: 2, in: store) == [7])
        #expect(store.close(within: .seconds(10)))
    }

    @Test func `numbers that no take can have are harmless, and so are those in a damaged row`() async throws {
        var store = try store()
        try await record(in: store)
        for number in [.min, -1, 0, 2, 1 << 31, .max] as [Int64] {
            #expect(try await !store.star(number, true))
            #expect(try await !store.delete(number))
            #expect(try await store.pieces(of: number, from: 0).isEmpty)
        }
        for first in [-1, 1 << 32, .max] { #expect(try await store.pieces(of: 1, from: first).isEmpty) }
        #expect(store.close(within: .seconds(10)))
        do {
            let database = try Database(directory.file("takes.db"), .readWrite)
            try database.execute(
                """
                UPDATE takes SET number = \(Int64.max), rate = \(Int64.max), frames = \(Int64.max), played = 0, \
                format = -1, size = \(Int64.max)
                """)
        }
        store = try self.store()
        #expect(try await store.entries().isEmpty)
        #expect(try await record(in: store) == 2)
        #expect(store.close(within: .seconds(10)))
    }
}
