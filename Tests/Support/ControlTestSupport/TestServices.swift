import Control
import Instrument
import Music
import Synchronization
import Wire

/// A library in memory, and exports that finish when the test lets them.
package actor TestServices: ControlServices {
    private var patterns: [String: Pattern] = [:]
    /// What it renders.
    package nonisolated let renders = TestRenders()
    /// The newest first.
    private var keptTakes = [ListedTake.example]
    /// What the last MIDI export played in each loop.
    package private(set) var exportedTurns: [PlayingSlots] = []
    private var isExportHeld = false
    private var heldExports: [CheckedContinuation<Void, Never>] = []
    /// Paths of exports that were cancelled while held; for one reader.
    package nonisolated let cancelledExports: AsyncStream<String>
    private let cancellation: AsyncStream<String>.Continuation

    /// What the storage was handed.
    package nonisolated let stored = Mutex<[DocumentChange]>([])
    /// All that the storage had been handed at each flush; for one reader.
    package nonisolated let flushes: AsyncStream<[DocumentChange]>
    private let flushed: AsyncStream<[DocumentChange]>.Continuation
    private var isDiskFull = false
    private var isSaveHeld = false
    private var heldSave: CheckedContinuation<Void, Never>?
    /// Saves that wait for ``releaseSaves()``; for one reader.
    package nonisolated let heldSaves: AsyncStream<Void>
    private let saveHeld: AsyncStream<Void>.Continuation

    package init() {
        (cancelledExports, cancellation) = AsyncStream.makeStream()
        (heldSaves, saveHeld) = AsyncStream.makeStream()
        (flushes, flushed) = AsyncStream.makeStream()
    }

    /// Makes flushes fail from now on.
    package func fillDisk() {
        isDiskFull = true
    }

    /// Makes the next save wait for ``releaseSaves()``.
    package func holdSaves() {
        isSaveHeld = true
    }

    /// Lets the held save finish.
    package func releaseSaves() {
        isSaveHeld = false
        heldSave?.resume()
        heldSave = nil
    }

    /// Makes exports begun from now on wait for ``releaseExports()``.
    package func holdExports() {
        isExportHeld = true
    }

    /// Lets the held exports finish, and later ones too unless more should be held.
    package func releaseExports(holdingMore: Bool = false) {
        isExportHeld = holdingMore
        for export in heldExports { export.resume() }
        heldExports = []
    }

    package func libraryEntries() async throws(ServiceError) -> [LibraryEntry] {
        patterns.sorted { $0.key < $1.key }.map { name, pattern in
            LibraryEntry(
                name: name, modified: "2026-01-02T12:34:56Z", bpm: pattern.bpm, scale: pattern.key.scale.name,
                length: pattern.length)
        }
    }

    package func save(_ pattern: Pattern, as name: String) async throws(ServiceError) {
        if isSaveHeld {
            await withCheckedContinuation {
                heldSave = $0
                saveHeld.yield()
            }
        }
        if name == "full" { throw .storage("no space left on device") }
        var dated = pattern
        dated.created = pattern.created ?? 1_767_357_296
        dated.modified = 1_767_357_296
        patterns[name] = dated
    }

    package func load(_ name: String) async throws(ServiceError) -> Pattern {
        guard let pattern = patterns[name] else { throw .notFound(name) }
        return pattern
    }

    package func delete(_ name: String) async throws(ServiceError) {
        guard patterns.removeValue(forKey: name) != nil else { throw .notFound(name) }
    }

    package func rename(_ name: String, to newName: String) async throws(ServiceError) {
        let pattern = try await load(name)
        patterns[name] = nil
        patterns[newName] = pattern
    }

    package func flush() async throws(ServiceError) {
        flushed.yield(stored.withLock(\.self))
        if isDiskFull { throw .storage("no space left on device") }
    }

    package func kits(sampleRate: Int) async throws(ServiceError) -> [KitEntry] {
        Track.rhythm.soundNames.map { KitEntry(name: $0) } + [
            KitEntry(
                name: "Dust", samples: ["kick", "low tom"],
                refused: [.init(file: "snare.wav", reason: "there is no sound in it")],
                truncated: [
                    .init(file: "kick.wav", reason: "the file is truncated: it ends after 2000 of 4800 frames")
                ])
        ]
    }

    package func takes() async throws(ServiceError) -> TakeList { TakeList(takes: keptTakes) }

    package func starTake(_ number: Int, _ isStarred: Bool) async throws(ServiceError) {
        guard let index = keptTakes.firstIndex(where: { $0.number == number }) else { throw .noTake(number) }
        keptTakes[index].isStarred = isStarred
    }

    package func deleteTake(_ number: Int) async throws(ServiceError) {
        guard keptTakes.contains(where: { $0.number == number }) else { throw .noTake(number) }
        keptTakes.removeAll { $0.number == number }
    }

    package func exportMIDI(
        _ document: Document, to path: String?, options: ExportOptions
    ) async throws(ServiceError) -> ExportReply {
        exportedTurns = options.turns
        return ExportReply(path: path, data: path == nil ? "TVRoZA==" : nil, frames: options.rate * options.loops)
    }

    package func exportWAV(
        _ document: Document, to path: String, options: ExportOptions
    ) async throws(ServiceError) -> ExportReply {
        if isExportHeld {
            await withTaskCancellationHandler {
                await withCheckedContinuation { heldExports.append($0) }
            } onCancel: {
                cancellation.yield(path)
            }
        }
        return ExportReply(path: path, frames: options.rate * options.loops)
    }

    package nonisolated func clockTimes() -> ClockTimes {
        ClockTimes(jack: 5_000_000, monotonic: 5_000_100, monotonicRaw: 5_000_000)
    }

    package nonisolated func figures(_ state: AudioState) -> DaemonFigures {
        (12.5, AudioStatistics(state: state, xruns: 3, load: 0.02, worst: 41), 1_000_000)
    }
}
