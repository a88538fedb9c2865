import Music
import TestSupport
import Testing

@testable import Storage

/// Crashes, power cuts and errors between any two file operations.
struct JournalCrashTests {
    /// Small enough for several generations in a short performance.
    private static let journalLimit: UInt64 = 700

    /// How many batches of a performance came how far.
    private struct Progress {
        var flushed = 0
        var written = 0
        var handedOver = 0

        /// What may be found after a power cut.
        var afterPowerCut: ClosedRange<Int> { flushed...handedOver }
        /// What may be found when the process ends.
        var afterCrash: ClosedRange<Int> { written...handedOver }
    }

    /// Writes a performance until the directory fails for good, and flushes now and then.
    private func perform(
        _ performance: Performance, in directory: SimulatedDirectory, using generator: inout SeededGenerator
    ) -> Progress {
        var writer = SessionWriter(directory, journalLimit: Self.journalLimit)
        var progress = Progress()
        while progress.handedOver < performance.batches.count {
            let left = performance.batches[progress.handedOver...]
            let batches = Array(left.prefix(Int.random(in: 0...3, using: &generator)))
            let flushes = Int.random(in: 0..<3, using: &generator) > 0
            progress.handedOver += batches.count
            do throws(StorageFailure) {
                try writer.write(batches)
                progress.written = progress.handedOver
                guard flushes else { continue }
                try writer.flush()
                progress.flushed = progress.handedOver
            } catch {}
        }
        return progress
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

    @Test
    func
        `a crash at any file operation leaves every change that was written, a power cut all that were flushed, and nothing that never was`()
    {
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
            let progress = perform(performance, in: directory, using: &rhythm)
            expect(directory, holdsOneOf: performance.documents[progress.afterCrash])
            for _ in 0..<8 {
                let survivors = directory.afterPowerCut(using: &source)
                expect(survivors, holdsOneOf: performance.documents[progress.afterPowerCut])
            }
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `power cuts, restarts and passing errors in any order lose nothing that they may not`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var directory = SimulatedDirectory()
        var document = Document()
        for _ in 0..<6 {
            let performance = Performance(from: document, batches: 25, using: &generator)
            let crash = Int.random(in: 0...120, using: &generator)
            let errors = Set((0..<8).map { _ in Int.random(in: 0...120, using: &generator) })
            directory.fails = { $0 >= crash || errors.contains($0) }
            let progress = perform(performance, in: directory, using: &generator)
            if Bool.random(using: &generator) {
                directory = directory.afterPowerCut(using: &generator)
                expect(directory, holdsOneOf: performance.documents[progress.afterPowerCut])
            } else {
                directory = SimulatedDirectory(directory.contents)
                expect(directory, holdsOneOf: performance.documents[progress.afterCrash])
            }
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
            var writer = SessionWriter(directory, journalLimit: 5000)
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
        var writer = SessionWriter(directory, journalLimit: 8000)
        for _ in 0..<600 {
            let change = DocumentChange.random(for: writer.document, using: &generator)
            try writer.commit([[change]])
        }
        #expect(directory.contents.count == 4)
        #expect(directory.contents.filter { $0.key.hasSuffix("journal") }.values.allSatisfy { $0.count < 10000 })
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
