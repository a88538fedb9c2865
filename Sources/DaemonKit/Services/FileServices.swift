import Control
import Export
import Foundation
import Music
import PatternFormat
import Storage
import Wire

/// The library and the exports, on the threads of the system rather than the control loop's.
struct FileServices: ControlServices {
    let library: Library
    let figuresNow: @Sendable () -> DaemonFigures

    func libraryEntries() async throws(ServiceError) -> [LibraryEntry] {
        try await perform {
            try library.list().compactMap(LibraryEntry.init)
        }
    }

    func save(_ pattern: Pattern, as name: String) async throws(ServiceError) {
        try await perform { try library.save(pattern, as: name) }
    }

    func load(_ name: String) async throws(ServiceError) -> Pattern {
        try await perform { try library.load(name) }
    }

    func delete(_ name: String) async throws(ServiceError) {
        try await perform { try library.delete(name) }
    }

    func rename(_ name: String, to newName: String) async throws(ServiceError) {
        try await perform { try library.rename(name, to: newName) }
    }

    func exportMIDI(
        _ document: Document, to path: String?, options: ExportOptions
    ) async throws(ServiceError) -> ExportReply {
        let bytes = MIDIFile.bytes(of: document.pattern, loops: options.loops) { !document.mix.isSilent($0) }
        let frames = Recording(of: document, RecordingOptions(options)).playedFrames
        guard let path else {
            return ExportReply(data: Data(bytes).base64EncodedString(), frames: frames)
        }
        try await perform { try AtomicFile.write(bytes, to: path) }
        return ExportReply(path: path, frames: frames)
    }

    func exportWAV(
        _ document: Document, to path: String, options: ExportOptions
    ) async throws(ServiceError) -> ExportReply {
        let frames = try await perform {
            try Recording(of: document, RecordingOptions(options)).write(to: path)
        }
        return ExportReply(path: path, frames: frames)
    }

    func figures() -> DaemonFigures { figuresNow() }

    /// Does something that may wait for the disk, and tells errors in the server's words.
    private func perform<Result: Sendable>(
        _ work: @Sendable () throws -> Result
    ) async throws(ServiceError) -> Result {
        do {
            return try work()
        } catch let error as LibraryError {
            throw ServiceError(error)
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
    /// An entry for a file that holds a pattern; others cannot be loaded and are left out.
    init?(_ entry: Library.Entry) {
        guard case .success(let pattern) = entry.pattern else { return nil }
        self.init(
            name: entry.name, modified: entry.modified.flatMap(Timestamp.text(seconds:)) ?? "",
            bpm: pattern.tempo.bpm, scale: pattern.key.scale.name, length: pattern.length)
    }
}
