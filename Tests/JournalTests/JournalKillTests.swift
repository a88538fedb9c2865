import Dispatch
import Glibc
import Music
import TestSupport
import Testing

@testable import Journal

/// A process that is killed while it edits, and what is found of its session. One at a time: they are to compete for the
/// disk with nobody.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct JournalKillTests {
    /// One change that the doomed process had handed over.
    private struct Entry {
        /// How many there were with it.
        var count: Int
        /// When, on the system's monotonic clock.
        var nanoseconds: UInt64
    }

    /// Edits until it is killed, noting each change once it is handed over.
    private static func edit(in directory: String, seed: UInt64, killedAfter milliseconds: Int) throws -> Never {
        var generator = SeededGenerator(seed: seed)
        let opened = try SessionStore.open("\(directory)/state") { _ in }
        let log = open("\(directory)/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var document = opened.document
        var count = 0
        while true {
            let change = DocumentChange.random(for: document, using: &generator)
            document.apply(change)
            opened.store.append([change], leadingTo: document)
            count += 1
            var entry = Entry(count: count, nanoseconds: DispatchTime.now().uptimeNanoseconds)
            guard write(log, &entry, MemoryLayout<Entry>.size) == MemoryLayout<Entry>.size else { exit(1) }
            if count == 1 {
                let end = DispatchTime.now() + .milliseconds(milliseconds)
                DispatchQueue.global().asyncAfter(deadline: end) { kill(getpid(), SIGKILL) }
            }
            // Faster than any crowd of fingers, but not so fast that only the result would be kept.
            usleep(500)
        }
    }

    private func entries(of log: [UInt8]) -> [Entry] {
        log.withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<Entry>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Entry>.size, as: Entry.self)
            }
        }
    }

    /// How many changes had been handed over 100 ms before the last one.
    ///
    /// Changes come every half a millisecond. What a gap is longer than two, the machine had no time for this thread, and may
    /// have had none for the storage thread: that does not count.
    private func countOfOld(_ entries: [Entry]) -> Int {
        var age: UInt64 = 0
        for (earlier, later) in zip(entries, entries.dropFirst()).reversed() {
            age += min(later.nanoseconds - earlier.nanoseconds, 2_000_000)
            if age >= 100_000_000 { return earlier.count }
        }
        return 0
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `a killed process leaves the session as it was at most 100 ms before`(seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, seed = seed as UInt64] in
            try Self.edit(in: path, seed: seed, killedAfter: 20 + Int(seed) * 30)
        }
        let entries = entries(of: try directory.read("log"))
        let last = try #require(entries.last)
        let certain = countOfOld(entries)

        let recovery = Recovery(StateDirectory(directory.file("state")))
        var generator = SeededGenerator(seed: seed)
        var document = Document()
        var isFound = certain == 0 && recovery.document == document
        // The last change may have been handed over without having been noted.
        for count in 1...last.count + 1 {
            document.apply(DocumentChange.random(for: document, using: &generator))
            isFound = isFound || count >= certain && recovery.document == document
        }
        #expect(isFound, "certain \(certain) last \(last.count) report \(recovery.report)")
    }

    @Test func `a new start outlives a kill, and so does what its undo brings back`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let opened = try SessionStore.open("\(path)/state") { _ in }
            var document = opened.document
            for change in Self.used + [.startNew] {
                document.apply(change)
                opened.store.append([change], leadingTo: document)
            }
            guard await opened.store.flush(within: .seconds(20)) else { exit(1) }
            kill(getpid(), SIGKILL)
        }
        var used = Document()
        for change in Self.used { used.apply(change) }
        var document = Recovery(StateDirectory(directory.file("state"))).document
        #expect(document.pattern == Pattern() && document[.gain, .bass] == 0 && !document.isOn(.mute, .rhythm))
        document.apply(.undo)
        #expect(document.pattern == used.pattern && document[.gain, .bass] == -6 && document.isOn(.mute, .rhythm))
        document.apply(.redo)
        #expect(document.pattern == Pattern() && document[.gain, .bass] == 0)
    }

    /// A little of everything that a new start empties or resets.
    private static let used: [DocumentChange] = {
        var notes = SlotNotes()
        notes[0][0] = .accent
        return Slot.scene(0).map { .edit([$0: notes]) } + Slot.scene(7).map { .edit([$0: notes]) } + [
            .launch(Slot.scene(7)), .set(.tempo, to: 93), .set(.tone, on: .bass, to: 7), .set(.gain, on: .bass, to: -6),
            .set(.mute, on: .rhythm, to: true), .setName("Night"),
        ]
    }()
}
