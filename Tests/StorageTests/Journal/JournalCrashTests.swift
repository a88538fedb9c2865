import Music
import TestSupport
import Testing

@testable import Storage

/// Crashes, power cuts and errors between any two file operations.
struct JournalCrashTests {
    /// Small enough for several generations in a short performance.
    private static let journalLimit: UInt64 = 300

    /// Writes a performance until the directory fails for good.
    ///
    /// - Returns: How many batches were on disk for certain, and how many may be.
    private func perform(
        _ performance: Performance, in directory: SimulatedDirectory, using generator: inout SeededGenerator
    ) -> ClosedRange<Int> {
        var writer = SessionWriter(directory, journalLimit: Self.journalLimit)
        var written = 0
        var handedOver = 0
        while handedOver < performance.batches.count {
            let count = min(Int.random(in: 0...3, using: &generator), performance.batches.count - handedOver)
            let batches = Array(performance.batches[handedOver..<handedOver + count])
            handedOver += count
            do throws(StorageFailure) {
                try writer.commit(batches)
                written = handedOver
            } catch {}
        }
        return written...handedOver
    }

    private func expect(
        _ directory: SimulatedDirectory, holdsOneOf documents: ArraySlice<Document>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let recovery = Recovery(directory)
        #expect(documents.contains(recovery.document), sourceLocation: sourceLocation)
        // Only the end of a journal may be torn; snapshots are whole, whatever happens.
        #expect(
            recovery.report.damages.allSatisfy { $0.file.hasSuffix(".journal") }, "\(recovery.report)",
            sourceLocation: sourceLocation)
    }

    @Test func `a crash at any file operation leaves every committed change, and nothing that never was`() {
        func generator() -> SeededGenerator { SeededGenerator(seed: 3) }
        var source = generator()
        let performance = Performance(batches: 40, using: &source)
        let whole = SimulatedDirectory()
        var rhythm = generator()
        _ = perform(performance, in: whole, using: &rhythm)
        #expect(whole.contents.keys.contains("session-5.snapshot"))
        for crash in 0...whole.operationCount {
            let directory = SimulatedDirectory()
            directory.fails = { $0 >= crash }
            var rhythm = generator()
            let range = perform(performance, in: directory, using: &rhythm)
            expect(directory, holdsOneOf: performance.documents[range])
            for _ in 0..<8 {
                expect(directory.afterPowerCut(using: &source), holdsOneOf: performance.documents[range])
            }
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `power cuts, restarts and passing errors in any order lose nothing that was committed`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var directory = SimulatedDirectory()
        var document = Document()
        for _ in 0..<6 {
            let performance = Performance(from: document, batches: 25, using: &generator)
            let crash = Int.random(in: 0...120, using: &generator)
            let errors = Set((0..<8).map { _ in Int.random(in: 0...120, using: &generator) })
            directory.fails = { $0 >= crash || errors.contains($0) }
            let range = perform(performance, in: directory, using: &generator)
            directory =
                Bool.random(using: &generator)
                ? directory.afterPowerCut(using: &generator) : SimulatedDirectory(directory.contents)
            expect(directory, holdsOneOf: performance.documents[range])
            document = Recovery(directory).document
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `a restart gives the same document, history included, and can go on as if nothing had been`(seed: UInt64)
        throws
    {
        var generator = SeededGenerator(seed: seed)
        let performance = Performance(batches: 120, using: &generator)
        let directory = SimulatedDirectory()
        for (index, batch) in performance.batches.enumerated() {
            var writer = SessionWriter(directory, journalLimit: 2000)
            #expect(writer.document == performance.documents[index])
            try writer.commit([batch])
        }
        #expect(Recovery(directory).document == performance.documents.last)
        #expect(Recovery(directory).report.damages.isEmpty)
        #expect(directory.contents.count == 4)
    }

    @Test func `files stay few and short however long it goes on`() throws {
        var generator = SeededGenerator(seed: 5)
        let directory = SimulatedDirectory()
        var writer = SessionWriter(directory, journalLimit: 4000)
        for _ in 0..<600 {
            let change = DocumentChange.random(for: writer.document, using: &generator)
            try writer.commit([[change]])
        }
        #expect(directory.contents.count == 4)
        #expect(directory.contents.filter { $0.key.hasSuffix("journal") }.values.allSatisfy { $0.count < 5000 })
    }

    @Test func `a session that appears later is kept under other names`() throws {
        let earlier = SimulatedDirectory()
        var writer = SessionWriter(earlier)
        try writer.commit([[.setName("earlier")]])
        var late = SessionWriter(Recovery(SimulatedDirectory()), in: earlier)
        try late.commit([[.setName("later")]])
        #expect(Recovery(earlier).document.pattern.name == "later")
        #expect(earlier.contents["set-aside-session-1.snapshot"] != nil)
        #expect(earlier.contents["set-aside-session-1.journal"] != nil)
    }
}
