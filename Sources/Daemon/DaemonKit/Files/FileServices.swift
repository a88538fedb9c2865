import Control
import Export
import Files
import FoundationEssentials
import Glibc
import Instrument
import JSON
import Media
import Music
import PatternFormat
import SystemSupport
import Wire

/// What clients can do with files: the library, the sample kits, the exports, the takes and their renders. Each has its own
/// threads, so that exports delay neither saves nor exports of the other kind.
struct FileServices: ControlServices {
    let library: Library
    let kits: SampleKitLoader
    let takes: KeptTakes
    let renders: RenderService
    /// Waits until every change is on disk; false on failure.
    let flushSession: @Sendable () async -> Bool
    let figuresNow: @Sendable (AudioState) -> DaemonFigures
    let clockTimesNow: @Sendable () -> ClockTimes
    /// Seconds since 1970-01-01 UTC.
    let secondsNow: @Sendable () -> Int

    private let libraryThread = WorkerThreads("library")
    private let midiThread = WorkerThreads("midi export", niceness: FileServices.exportNiceness)
    private let soundThreads = WorkerThreads("sound export", limit: 2, niceness: FileServices.exportNiceness)

    /// Rendering uses all the CPU time it can get, so it must yield to everything else.
    private static let exportNiceness: Int32 = 10

    init(
        library: Library, kits: SampleKitLoader, takes: KeptTakes = KeptTakes(), cacheDirectory: String,
        flushSession: @escaping @Sendable () async -> Bool,
        figuresNow: @escaping @Sendable (AudioState) -> DaemonFigures,
        clockTimesNow: @escaping @Sendable () -> ClockTimes, secondsNow: @escaping @Sendable () -> Int
    ) {
        self.library = library
        self.kits = kits
        self.takes = takes
        renders = RenderService(takes: takes, kits: kits.library, cache: RenderCache(in: cacheDirectory))
        self.flushSession = flushSession
        self.figuresNow = figuresNow
        self.clockTimesNow = clockTimesNow
        self.secondsNow = secondsNow
    }

    /// Waits, up to a limit, until clients' requests are done, or cancelled because the clients are gone.
    func drain(within limit: Duration) {
        let end = ContinuousClock.now + limit
        for threads in [libraryThread, midiThread, soundThreads] { threads.drain(within: end - ContinuousClock.now) }
        renders.drain(within: end - .now)
    }

    func libraryEntries() async throws(ServiceError) -> [LibraryEntry] {
        try await perform(on: libraryThread) {
            try library.list().compactMap(LibraryEntry.init)
        }
    }

    func save(_ pattern: Pattern, as name: String) async throws(ServiceError) {
        try await perform(on: libraryThread) { try library.save(pattern, as: name, at: secondsNow()) }
    }

    func load(_ name: String) async throws(ServiceError) -> Pattern {
        try await perform(on: libraryThread) { try library.load(name) }
    }

    func delete(_ name: String) async throws(ServiceError) {
        try await perform(on: libraryThread) { try library.delete(name) }
    }

    func rename(_ name: String, to newName: String) async throws(ServiceError) {
        try await perform(on: libraryThread) { try library.rename(name, to: newName) }
    }

    func flush() async throws(ServiceError) {
        guard await flushSession() else { throw .storage("the session cannot be stored for now") }
    }

    func kits(sampleRate: Int) async throws(ServiceError) -> [KitEntry] { await kits.list(sampleRate: sampleRate) }

    func exportMIDI(
        _ document: Document, to path: String?, options: ExportOptions
    ) async throws(ServiceError) -> ExportReply {
        if let path { try check(path, as: .midi) }
        return try await perform(on: midiThread) {
            let bytes = try MIDIFile.bytes(
                of: document.pattern.turns(options.turns), loops: options.loops,
                mixer: { document.number($0, $1) }, isAudible: { !document.isSilent($0) },
                muted: document.mutedNotes)
            try Task.checkCancellation()
            let frames = Recording(of: document, RecordingOptions(options)).playedFrames
            guard let path else { return ExportReply(data: Data(bytes).base64EncodedString(), frames: frames) }
            try ExportKind.midi.write(bytes, to: path)
            return ExportReply(path: path, frames: frames)
        }
    }

    func exportWAV(
        _ document: Document, to path: String, options: ExportOptions
    ) async throws(ServiceError) -> ExportReply {
        try check(path, as: .sound)
        if options.hasStems, !AudioFile.isWAV(path) {
            throw .invalid(
                FieldError(
                    field: "path", expected: "a name that ends in .wav, as stems are WAV files", got: "\"\(path)\""))
        }
        return try await perform(on: soundThreads) {
            try Task.checkCancellation()
            let samples = kits.library.load(for: document, sampleRate: options.rate)
            let recording = Recording(of: document, RecordingOptions(options), samples: samples)
            let frames = try recording.write(to: path) { _ in try Task.checkCancellation() }
            return ExportReply(path: path, frames: frames)
        }
    }

    func takes() async throws(ServiceError) -> TakeList { try await takes.list() }

    func starTake(_ number: Int, _ isStarred: Bool) async throws(ServiceError) {
        try await takes.star(number, isStarred)
    }

    func deleteTake(_ number: Int) async throws(ServiceError) { try await takes.delete(number) }

    func takeRender(_ call: RenderCall) async throws(ServiceError) -> RenderJob { try await renders.takeRender(call) }

    func exportRender(_ document: Document, options: ExportOptions) async throws(ServiceError) -> RenderJob {
        try await renders.exportRender(document, options: options)
    }

    func takeMIDI(_ number: Int, to path: String?) async throws(ServiceError) -> ExportReply {
        try await renders.takeMIDI(number, to: path)
    }

    private func check(_ path: String, as kind: ExportKind) throws(ServiceError) {
        guard kind.allows(path) else {
            throw .invalid(FieldError(field: "path", expected: kind.expectation, got: "\"\(path)\""))
        }
    }

    func figures(_ state: AudioState) -> DaemonFigures { figuresNow(state) }

    func clockTimes() -> ClockTimes { clockTimesNow() }

    /// Does slow work, and translates its errors for clients.
    private func perform<Result: Sendable>(
        on threads: WorkerThreads, _ work: @Sendable () throws -> Result
    ) async throws(ServiceError) -> Result {
        do {
            return try await threads.run(work)
        } catch let error as LibraryError {
            throw ServiceError(error)
        } catch let error as MIDIFileError {
            throw .invalid(FieldError(field: "loops", problem: .invalid(error.description)))
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .storage("\(error)")
        }
    }
}

extension RecordingOptions {
    init(_ options: ExportOptions) {
        self.init()
        loops = options.loops
        sampleRate = options.rate
        turns = options.turns
        hasStems = options.hasStems
    }
}

extension ServiceError {
    init(_ error: LibraryError) {
        switch error {
        case .notFound(let name): self = .notFound(name)
        case .invalidName(let name, let reason):
            self = .invalid(FieldError(field: "name", expected: "a name for a file: \(reason)", got: "\"\(name)\""))
        case .alreadyExists(let name):
            self = .invalid(FieldError(field: "to", expected: "a name that is free", got: "\"\(name)\""))
        case .notAPattern, .io: self = .storage("\(error)")
        }
    }
}

extension LibraryEntry {
    /// An entry for a loadable pattern; nil for other files, which are not listed.
    init?(_ entry: Library.Entry) {
        guard case .success(let pattern) = entry.pattern else { return nil }
        self.init(
            name: entry.name, modified: entry.modified.flatMap(Timestamp.text(seconds:)) ?? "",
            bpm: pattern.bpm, scale: pattern.key.scale.name, length: pattern.length)
    }
}
