import Music
import TestSupport
import Testing

@testable import Journal

/// Truncated files, and files with flipped bits.
struct JournalDamageTests {
    private static let journal = "session-1.journal"
    private static let snapshot = "session-1.snapshot"

    private let performance: Performance
    private let files: [String: [UInt8]]
    /// The ends of the journal's header and of each record.
    private let ends: [Int]

    init() throws {
        var generator = SeededGenerator(seed: 7)
        performance = Performance(batches: 6, using: &generator)
        let directory = SimulatedDirectory()
        var writer = SessionWriter(directory)
        try writer.commit([])
        for batch in performance.batches { try writer.commit([batch]) }
        files = directory.contents
        ends = performance.batches.reduce(into: [JournalHeader.size]) { ends, batch in
            ends.append(ends.last! + JournalRecord.bytes(of: batch).count)
        }
    }

    private func recovery(_ change: (inout [String: [UInt8]]) -> Void) -> Recovery {
        var files = files
        change(&files)
        return Recovery(SimulatedDirectory(files))
    }

    @Test func `undamaged files give the last document`() {
        let recovery = recovery { _ in }
        #expect(recovery.document == performance.documents.last)
        #expect(recovery.report == RecoveryReport(snapshot: 1, batches: 6))
        #expect(files[Self.journal]?.count == ends.last)
    }

    @Test func `a journal cut anywhere gives the state after its last intact record, and reports what was dropped`() {
        for count in 0..<ends.last! {
            let recovery = recovery { $0[Self.journal]!.removeLast(ends.last! - count) }
            let whole = ends.filter { $0 <= count }
            #expect(recovery.document == performance.documents[max(0, whole.count - 1)])
            let dropped = count - (whole.last ?? 0)
            let damage = Damage(file: Self.journal, offset: count - dropped, bytes: dropped, reason: .torn)
            #expect(recovery.report.damages == (whole.last == count ? [] : [damage]))
        }
    }

    @Test func `a journal with a flipped bit gives the state before it, and reports what was dropped`() {
        for offset in 0..<ends.last! {
            // Every bit of the header and first frame; then one bit per byte, each of the eight in turn.
            for bit in offset < JournalHeader.size + 16 ? 0..<8 : offset % 8..<offset % 8 + 1 {
                let recovery = recovery { $0[Self.journal]![offset] ^= 1 << UInt8(bit) }
                let before = ends.filter { $0 <= offset }
                #expect(recovery.document == performance.documents[max(0, before.count - 1)])
                #expect(recovery.report.damages.map(\.offset) == [before.last ?? 0])
                #expect(recovery.report.damages.map(\.bytes) == [ends.last! - (before.last ?? 0)])
            }
        }
    }

    @Test func `a whole record that makes no sense is dropped and reported`() {
        var notes = SlotNotes()
        notes[0, 0] = .accent
        let record = JournalRecord.bytes(of: [.edit([Slot(.bass, 6): notes, Slot(.bass, 7): notes])])
        let recovery = recovery { $0[Self.journal]! += record }
        #expect(recovery.document == performance.documents.last)
        let damage = Damage(file: Self.journal, offset: ends.last!, bytes: record.count, reason: .malformed)
        #expect(recovery.report.damages == [damage])
    }

    @Test func `zeros after the last record are a torn tail`() {
        let recovery = recovery { $0[Self.journal]! += [UInt8](repeating: 0, count: 512) }
        #expect(recovery.document == performance.documents.last)
        #expect(recovery.report.damages == [Damage(file: Self.journal, offset: ends.last!, bytes: 512, reason: .torn)])
    }

    @Test func `damage to the only snapshot is reported, and the session starts empty`() {
        for offset in files[Self.snapshot]!.indices {
            let recovery = recovery { $0[Self.snapshot]![offset] ^= 0x10 }
            #expect(recovery.document == Document())
            #expect(recovery.report.snapshot == nil)
            #expect(recovery.report.damages.map(\.file) == [Self.snapshot, Self.journal])
            #expect(recovery.report.damages.last?.reason == .unconnected)
        }
    }

    @Test func `a damaged snapshot is replaced by the one before, with all later changes`() throws {
        let directory = SimulatedDirectory(files)
        var writer = SessionWriter(directory)
        var generator = SeededGenerator(seed: 8)
        let more = Performance(from: performance.documents.last!, batches: 5, using: &generator)
        try writer.commit([])
        try writer.commit(more.batches)
        // Every fifth byte, which hits each field.
        for offset in stride(from: 0, to: directory.contents["session-2.snapshot"]!.count, by: 5) {
            var files = directory.contents
            files["session-2.snapshot"]![offset] ^= 1
            let recovery = Recovery(SimulatedDirectory(files))
            #expect(recovery.document == more.documents.last)
            #expect(recovery.report.snapshot == 1)
            #expect(recovery.report.batches == 11)
            #expect(recovery.report.damages.map(\.file) == ["session-2.snapshot"])
        }
    }

    @Test func `a journal that continues a lost state is not replayed`() throws {
        let directory = SimulatedDirectory(files)
        var writer = SessionWriter(directory)
        var generator = SeededGenerator(seed: 9)
        let more = Performance(from: performance.documents.last!, batches: 5, using: &generator)
        try writer.commit([])
        try writer.commit(more.batches)
        var files = directory.contents
        files["session-2.snapshot"] = []
        files[Self.journal]!.removeLast()
        let recovery = Recovery(SimulatedDirectory(files))
        #expect(recovery.document == performance.documents[5])
        #expect(recovery.report.damages.map(\.file) == ["session-2.snapshot", Self.journal, "session-2.journal"])
        #expect(recovery.report.damages.map(\.reason) == [.torn, .torn, .unconnected])
    }

    @Test func `a journal is not replayed without the changes before it that only a lost snapshot had`() throws {
        let directory = SimulatedDirectory(files)
        var writer = SessionWriter(directory)
        directory.fails = { _ in true }
        for name in ["A", "B"] { #expect(throws: StorageFailure.self) { try writer.commit([[.setName(name)]]) } }
        directory.fails = { _ in false }
        try writer.commit([])
        try writer.commit([[.set(.ghosts, to: false)]])
        #expect(Recovery(directory).document == writer.document)
        var files = directory.contents
        files["session-2.snapshot"]![40] ^= 1
        let recovery = Recovery(SimulatedDirectory(files))
        #expect(recovery.document == performance.documents.last)
        #expect(recovery.report.damages.map(\.file) == ["session-2.snapshot", "session-2.journal"])
        #expect(recovery.report.damages.map(\.reason) == [.checksum, .unconnected])
    }

    @Test func `files of another version are reported, and kept when the session continues without them`() throws {
        let directory = SimulatedDirectory(files.mapValues { Array($0.prefix(8)) + [3] + $0.dropFirst(9) })
        let recovery = Recovery(directory)
        #expect(recovery.report.damages.map(\.reason) == [.version(3), .version(3)])
        #expect(recovery.report.damages.first?.description.hasSuffix("version 3 is not known") == true)
        var writer = SessionWriter(recovery, in: directory)
        try writer.commit([])
        #expect(
            directory.contents.keys.sorted() == [
                "session-2.journal", "session-2.snapshot", "set-aside-session-1.journal",
                "set-aside-session-1.snapshot",
            ])
    }

    @Test func `a stray file with the highest possible number does not stop the session`() throws {
        let stray = "session-\(UInt64.max).snapshot"
        let directory = SimulatedDirectory(files.merging([stray: []]) { $1 })
        let recovery = Recovery(directory)
        #expect(recovery.document == performance.documents.last)
        #expect(recovery.report.damages.map(\.file) == [stray])
        var writer = SessionWriter(recovery, in: directory)
        try writer.commit([])
        try writer.commit([[.setName("after")]])
        #expect(Recovery(directory).document == writer.document)
        #expect(Recovery(directory).report == RecoveryReport(snapshot: 1, batches: 1))
        #expect(directory.contents["set-aside-" + stray] != nil)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `recovery survives random damage to any file`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let recovery = recovery { files in
            for name in files.keys.sorted() {
                for _ in 0..<Int.random(in: 0...4, using: &generator) where !files[name]!.isEmpty {
                    let index = Int.random(in: 0..<files[name]!.count, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: files[name]![index] = .random(in: 0...255, using: &generator)
                    case 1: files[name]!.removeSubrange(index...)
                    default: files[name]!.insert(.random(in: 0...255, using: &generator), at: index)
                    }
                }
            }
        }
        #expect(recovery.report.snapshot == nil || performance.documents.contains(recovery.document))
    }
}
