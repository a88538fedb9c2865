import Music
import TestSupport
import Testing

@testable import Journal

/// Crashes, power cuts and errors between any two file operations.
struct JournalCrashTests {
    /// Small enough for several generations in a short performance.
    private static let journalLimit: UInt64 = 450

    /// How many batches of a performance reached each stage.
    private struct Progress {
        var flushed = 0
        var written = 0
        var handedOver = 0

        /// The batches that may be recovered after a power cut.
        var afterPowerCut: ClosedRange<Int> { flushed...handedOver }
        /// The batches that may be recovered after the process ends.
        var afterCrash: ClosedRange<Int> { written...handedOver }
    }

    /// Writes a performance until the directory fails for good. Steps of flushing journals and writing snapshots come
    /// at random in between, as if on other threads.
    private func perform(
        _ performance: Performance, in directory: SimulatedDirectory, using generator: inout SeededGenerator
    ) -> Progress {
        var run = Run(SessionWriter(directory, journalLimit: Self.journalLimit))
        while run.progress.handedOver < performance.batches.count {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<2:
                let left = performance.batches[run.progress.handedOver...]
                run.write(Array(left.prefix(Int.random(in: 0...3, using: &generator))))
            case 2..<5: run.flushStep()
            default: run.workStep()
            }
        }
        return run.progress
    }

    /// A writer, and the background work beside it.
    private struct Run {
        private var writer: SessionWriter
        private(set) var progress = Progress()
        private var flush: Lane?
        /// How many batches were written when the flush began.
        private var flushing = 0
        private var work: Lane?
        /// Whether there was a failure that the next write must repair.
        private var hasFailed = false

        init(_ writer: SessionWriter) { self.writer = writer }

        mutating func write(_ batches: [[DocumentChange]]) {
            // Nothing is retried while a flush is under way.
            while hasFailed, flush != nil { flushStep() }
            progress.handedOver += batches.count
            hasFailed = !succeeds { (writer) throws(StorageFailure) in try writer.write(batches) }
            if !hasFailed { progress.written = progress.handedOver }
        }

        /// Begins a flush, or does a step of the current one.
        mutating func flushStep() {
            guard flush != nil else { return beginFlush() }
            guard let result = flush?.step() else { return }
            flush = nil
            let isDone = succeeds { (writer) throws(StorageFailure) in try writer.endFlush(result) }
            // A flush is useless if something has failed since.
            hasFailed = hasFailed || !isDone
            if !hasFailed { progress.flushed = max(progress.flushed, flushing) }
        }

        private mutating func beginFlush() {
            write([])
            guard !hasFailed else { return }
            flushing = progress.written
            flush = writer.beginFlush().map { Lane($0) }
            if flush == nil { progress.flushed = progress.written }
        }

        /// Begins work on a snapshot, or does a step of the current one.
        mutating func workStep() {
            guard work != nil else {
                work = writer.beginWork().map { Lane($0) }
                return
            }
            guard let result = work?.step() else { return }
            work = nil
            if !succeeds({ (writer) throws(StorageFailure) in try writer.endWork(result) }) { hasFailed = true }
        }

        private mutating func succeeds(_ body: (inout SessionWriter) throws(StorageFailure) -> Void) -> Bool {
            do throws(StorageFailure) {
                try body(&writer)
                return true
            } catch {
                return false
            }
        }
    }

    /// Work on the disk, done one step at a time.
    private struct Lane {
        private var steps: ArraySlice<DiskStep>

        init(_ work: DiskWork) { steps = work.steps[...] }

        /// Does a step.
        ///
        /// - Returns: The result of the whole work, if this was the last step or it failed.
        mutating func step() -> DiskResult? {
            guard let step = steps.popFirst() else { return .success(()) }
            let result = DiskResult(catching: step)
            if case .failure = result { return result }
            return steps.isEmpty ? result : nil
        }
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
        let performance = Performance(batches: 60, using: &source)
        let whole = SimulatedDirectory()
        var rhythm = generator()
        _ = perform(performance, in: whole, using: &rhythm)
        #expect(whole.contents.keys.contains { $0.hasSuffix(".snapshot") && $0 >= "session-3" })
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
    func `power cuts, restarts and passing errors in any order lose no more than they may`(seed: UInt64) {
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
    func `a restart gives the same document, including history, and continues as if uninterrupted`(seed: UInt64)
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

    @Test func `files stay few and short however long the session`() throws {
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

    @Test func `a damaged snapshot is replaced by the one before, with all later changes of both journals`()
        throws
    {
        var source = SeededGenerator(seed: 11)
        let performance = Performance(batches: 60, using: &source)
        let directory = SimulatedDirectory()
        _ = perform(performance, in: directory, using: &source)
        let undamaged = Recovery(directory)
        var files = directory.contents
        let newest = try #require(undamaged.report.snapshot)
        #expect(newest > 2)
        files[SessionFileName.name(.snapshot, newest)]![40] ^= 1
        let recovery = Recovery(SimulatedDirectory(files))
        #expect(recovery.document == undamaged.document)
        #expect(recovery.report.snapshot.map { $0 < newest } == true)
        #expect(recovery.report.damages.map(\.file) == [SessionFileName.name(.snapshot, newest)])
    }

    @Test(arguments: [3, 4, 6])
    func `a disk with room for a few snapshots is enough forever`(snapshots: Int) throws {
        var generator = SeededGenerator(seed: 5)
        let performance = Performance(batches: 1500, using: &generator)
        // A snapshot's size depends on the history.
        let sizes = stride(from: 0, through: 1500, by: 10).map { index in
            var content = SessionContent()
            content.replaceDocument(performance.documents[index])
            return SnapshotFile(generation: 1, content: content).bytes.count
        }
        let directory = SimulatedDirectory()
        directory.capacity = snapshots * sizes.max()!
        var writer = SessionWriter(directory)
        for batch in performance.batches { try writer.commit([batch]) }
        #expect(Recovery(directory).document == performance.documents.last)
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
