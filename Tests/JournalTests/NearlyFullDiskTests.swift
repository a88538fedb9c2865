import Glibc
import Music
import SystemSupport
import TestSupport
import Testing

@testable import Journal

/// Disks with room for edits, but not for a snapshot.
struct NearlyFullDiskTests {
    /// A session with a long history, and the disk that holds it.
    private static func session(seed: UInt64 = 5, batches: Int = 100) throws -> (SimulatedDirectory, Document) {
        var generator = SeededGenerator(seed: seed)
        let directory = SimulatedDirectory()
        var writer = SessionWriter(directory)
        try writer.commit([])
        try writer.commit(Performance(batches: batches, using: &generator).batches)
        return (directory, writer.document)
    }

    private static func size(_ directory: SimulatedDirectory) -> Int {
        directory.contents.values.reduce(0) { $0 + $1.count }
    }

    /// The directory as a new process finds it.
    private func restarted(_ directory: SimulatedDirectory, room: Int) -> SimulatedDirectory {
        let next = SimulatedDirectory(directory.contents)
        next.capacity = Self.size(next) + room
        return next
    }

    @Test func `after restarts small edits are added to the journal while they fit, and none is lost`() throws {
        var (directory, document) = try Self.session()
        for name in ["A", "B", "C", "D", "E"] {
            directory = restarted(directory, room: 600)
            var writer = SessionWriter(directory)
            #expect(writer.document == document)
            try writer.commit([])
            try writer.commit([[.setName(name)]])
            try writer.commit([[.set(.ghosts, to: false)]])
            document = writer.document
            let recovery = Recovery(directory)
            #expect(recovery.document == document)
            #expect(recovery.report.damages.isEmpty && recovery.report.snapshot == 1)
            #expect(directory.contents.keys.sorted() == ["session-1.journal", "session-1.snapshot"])
        }
        // With room again, the next snapshot comes by itself.
        directory.capacity = .max
        var writer = SessionWriter(restarted(directory, room: 1 << 20))
        try writer.commit([[.setName("F")]])
        #expect(writer.document.pattern.name == "F")
    }

    @Test func `an edit that does not fit is written once there is room, before later ones`() throws {
        let (whole, _) = try Self.session()
        let directory = restarted(whole, room: 0)
        var writer = SessionWriter(directory)
        try writer.commit([])
        #expect(throws: StorageFailure.self) { try writer.commit([[.setName("A")]]) }
        #expect(throws: StorageFailure.self) { try writer.commit([[.set(.ghosts, to: false)]]) }
        #expect(Recovery(directory).report.damages.isEmpty)
        directory.capacity += 600
        try writer.commit([])
        #expect(writer.document.pattern.name == "A")
        #expect(Recovery(directory).document == writer.document)
    }

    @Test func `a snapshot leaves the journal a quarter of the room, and is written if that is possible`() throws {
        let (whole, document) = try Self.session()
        var content = SessionContent()
        content.replaceDocument(document)
        let size = SnapshotFile(generation: 2, content: content).bytes.count
        let tight = restarted(whole, room: size * 5 / 4)
        var writer = SessionWriter(tight)
        try writer.commit([])
        #expect(tight.contents["session-2.snapshot"] == nil)
        let wide = restarted(whole, room: size * 3 / 2)
        writer = SessionWriter(wide)
        try writer.commit([])
        #expect(wide.contents["session-2.snapshot"] != nil)
    }

    @Test func `after a torn journal a snapshot may use all the room`() throws {
        let (whole, _) = try Self.session()
        var files = whole.contents
        files["session-1.journal"]!.removeLast()
        let torn = Recovery(SimulatedDirectory(files)).document
        var content = SessionContent()
        content.replaceDocument(torn)
        let size = SnapshotFile(generation: 2, content: content).bytes.count
        let directory = restarted(SimulatedDirectory(files), room: size + 300)
        var writer = SessionWriter(directory)
        try writer.commit([[.setName("A")]])
        #expect(Recovery(directory).document == writer.document)
    }

    @Test func `a half-written snapshot gives its room to the journal`() throws {
        let (whole, _) = try Self.session()
        let directory = restarted(whole, room: 1 << 20)
        var writer = SessionWriter(directory, journalLimit: 600)
        try writer.commit([])
        while directory.contents.keys.allSatisfy({ !$0.hasSuffix(".tmp") }) {
            try writer.write([[.setName("A"), .set(.ghosts, to: false), .setName("B")]])
            if let work = writer.beginFlush() { try writer.endFlush(work.run()) }
        }
        // The snapshot is written, and the disk is full before it has its name.
        let next = writer.beginWork()
        let work = try #require(next)
        try work.steps[0]()
        directory.capacity = Self.size(directory)
        #expect(throws: Never.self) { try writer.write([[.setName("C")]]) }
        #expect(directory.contents.keys.allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(Recovery(directory).document == writer.document)
        #expect(writer.document.pattern.name == "C")
        try writer.endWork(.success(()))
    }

    @Test func `a snapshot that fails during a flush leaves the journal alone`() throws {
        let (directory, _) = try Self.session()
        var writer = SessionWriter(directory, journalLimit: 600)
        try writer.commit([])
        while writer.beginWork() == nil {
            try writer.write([[.setName("A"), .set(.ghosts, to: false), .setName("B")]])
            if let work = writer.beginFlush() { try writer.endFlush(work.run()) }
        }
        let snapshot = directory.contents.keys.first { $0.hasSuffix(".tmp") }
        let abandoned = try #require(snapshot).replacing(".snapshot.tmp", with: ".journal")
        try writer.write([[.setName("C")]])
        let flush = writer.beginFlush()
        try writer.endWork(.failure(.file(FileError("write", "/simulated", code: ENOSPC))))
        #expect(directory.contents.keys.allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(directory.contents[abandoned] != nil)
        try writer.endFlush(try #require(flush).run())
        #expect(directory.contents[abandoned] == nil)
        #expect(Recovery(directory).document == writer.document)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a recovered journal that is continued survives a power cut with the one before it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (directory, _) = try Self.session()
        var writer = SessionWriter(directory, journalLimit: 600)
        try writer.commit([])
        while directory.contents.keys.allSatisfy({ !$0.hasSuffix(".tmp") }) {
            try writer.write([[.setName("A"), .set(.ghosts, to: false), .setName("B")]])
            let flush = writer.beginFlush()
            let result = try #require(flush).run()
            // The next generation continues a journal that is not flushed to its end.
            try writer.write([[.setName("C"), .set(.ghosts, to: true)]])
            try writer.endFlush(result)
        }
        for name in directory.contents.keys where name.hasPrefix("session-1.") { try directory.remove(name) }
        // The process is killed, and its successor has no room for a snapshot.
        directory.capacity = Self.size(directory) + 600
        writer = SessionWriter(directory)
        try writer.commit([[.setName("D")]])
        let recovery = Recovery(directory.afterPowerCut(using: &generator))
        #expect(recovery.document == writer.document)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `however the room varies, everything written is recovered`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (directory, document) = try Self.session(seed: seed, batches: 10)
        for _ in 0..<4 {
            directory = restarted(directory, room: Int.random(in: 0...3000, using: &generator))
            var writer = SessionWriter(directory, journalLimit: 2000)
            #expect(writer.document == document)
            var isWritten = true
            for _ in 0..<30 {
                let change = DocumentChange.random(for: writer.document, using: &generator)
                isWritten = (try? writer.commit([[change]])) != nil
                let recovered = Recovery(directory)
                if isWritten { #expect(recovered.document == writer.document) }
                let room = Int.random(in: 0...3000, using: &generator)
                if Bool.random(using: &generator) { directory.capacity = Self.size(directory) + room }
            }
            directory.capacity = .max
            for _ in 0..<2 where !isWritten { isWritten = (try? writer.commit([])) != nil }
            #expect(isWritten)
            document = writer.document
            #expect(Recovery(directory).document == document)
            #expect(Recovery(directory).report.damages.isEmpty)
        }
    }

    // MARK: Setting files aside

    @Test(arguments: [true, false])
    func `a damaged journal is kept, even if its other name is taken, with or without links`(hasLinks: Bool) throws {
        var (files, damaged) = try Self.damagedSession()
        files["set-aside-session-1.journal"] = [1, 2, 3]
        let directory = SimulatedDirectory(files)
        directory.hasLinks = hasLinks
        var writer = SessionWriter(directory, journalLimit: 300)
        for name in ["A", "B", "C", "D", "E", "F", "G", "H"] { try writer.commit([[.setName(name), .setName("")]]) }
        #expect(directory.contents["session-1.journal"] == nil)
        #expect(directory.contents["set-aside-session-1.journal"] == [1, 2, 3])
        #expect(directory.contents["set-aside-2-session-1.journal"] == damaged)
    }

    @Test func `a damaged journal that cannot be kept makes the write fail`() throws {
        let (files, damaged) = try Self.damagedSession()
        let directory = SimulatedDirectory(files)
        directory.hasLinks = false
        directory.capacity = Self.size(directory) + damaged.count / 2
        var writer = SessionWriter(directory)
        #expect(throws: StorageFailure.self) { try writer.commit([[.setName("A")]]) }
        #expect(directory.contents["session-1.journal"] == damaged)
        directory.capacity = .max
        try writer.commit([])
        #expect(directory.contents["set-aside-session-1.journal"] == damaged)
        #expect(Recovery(directory).document.pattern.name == "A")
    }

    private static func damagedSession() throws -> (files: [String: [UInt8]], journal: [UInt8]) {
        var files = try session().0.contents
        files["session-1.journal"]![200] ^= 1
        return (files, files["session-1.journal"]!)
    }
}
