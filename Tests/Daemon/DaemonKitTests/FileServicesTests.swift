import Control
import Files
import Foundation
import JSON
import Media
import Music
import TestSupport
import Testing
import Wire

@testable import DaemonKit

@Suite(.timeLimit(.minutes(1))) struct FileServicesTests {
    private let directory: TemporaryDirectory
    private let services: FileServices

    init() throws {
        directory = try TemporaryDirectory()
        services = FileServices(
            library: Library(directory: directory.file("library")),
            kits: SampleKitLoader(KitLibrary(directory: directory.file("kits"))),
            cacheDirectory: directory.file("cache"), flushSession: { true },
            figuresNow: { (0, AudioStatistics(state: $0), 0) },
            clockTimesNow: { ClockTimes(jack: 0, monotonic: 0, monotonicRaw: 0) }, secondsNow: { 1_767_357_296 })
    }

    /// An export that takes longer than any test, in a format with room for it.
    private func endlessExport(_ name: String) -> Task<ServiceError?, Never> {
        var pattern = Pattern()
        pattern.bpm = 20
        let document = Document(pattern: pattern)
        return Task { [services, path = directory.file(name)] in
            do throws(ServiceError) {
                _ = try await services.exportWAV(
                    document, to: path, options: ExportOptions(loops: 1000, rate: 192_000))
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `nothing else waits for exports, and cancelled ones leave nothing`() async throws {
        let exports = (0..<8).map { endlessExport("\($0).flac") }
        try await services.save(Pattern(), as: "a")
        #expect(try await services.libraryEntries().map(\.name) == ["a"])
        #expect(try await services.load("a").created == 1_767_357_296)
        let midi = try await services.exportMIDI(
            Document(), to: directory.file("a.mid"), options: ExportOptions(loops: 1, rate: 48_000))
        #expect(midi.path == directory.file("a.mid"))
        for export in exports { export.cancel() }
        for export in exports { #expect(await export.value == .cancelled) }
        #expect(try directory.names == ["a.mid", "library"])
    }

    @Test(arguments: ["a.mid", "a.mp3", "wav", "a"])
    func `a sound file needs a sound file's extension`(name: String) async throws {
        let path = directory.file(name)
        let error = FieldError(field: "path", expected: "a name that ends in .wav or .flac", got: "\"\(path)\"")
        await #expect(throws: ServiceError.invalid(error)) {
            try await services.exportWAV(Document(), to: path, options: ExportOptions(loops: 1, rate: 48_000))
        }
        #expect(try directory.names == [])
    }

    @Test func `stems need a WAV file's extension`() async throws {
        let path = directory.file("a.flac")
        let error = FieldError(
            field: "path", expected: "a name that ends in .wav, as stems are WAV files", got: "\"\(path)\"")
        let options = ExportOptions(loops: 1, rate: 48_000, hasStems: true)
        await #expect(throws: ServiceError.invalid(error)) {
            try await services.exportWAV(Document(), to: path, options: options)
        }
        #expect(try directory.names == [])
    }

    @Test func `a MIDI file needs a MIDI file's extension`() async throws {
        let path = directory.file("a.wav")
        let error = FieldError(field: "path", expected: "a name that ends in .mid or .midi", got: "\"\(path)\"")
        await #expect(throws: ServiceError.invalid(error)) {
            try await services.exportMIDI(Document(), to: path, options: ExportOptions(loops: 1, rate: 48_000))
        }
        #expect(try directory.names == [])
    }

    @Test func `a MIDI file that would have too many messages is refused`() async throws {
        var pattern = Pattern()
        for step in 0..<SlotNotes.stepCount {
            for drum in 0..<Track.noteCount { pattern[.rhythm, step][whole: drum] = Note(.accent, [.ratchet: 8]) }
        }
        let document = Document(pattern: pattern)
        let reason = "the file would have more than 500000 messages, two for each note"
        await #expect(throws: ServiceError.invalid(FieldError(field: "loops", problem: .invalid(reason)))) {
            try await services.exportMIDI(
                document, to: directory.file("a.mid"), options: ExportOptions(loops: 100, rate: 48_000))
        }
        #expect(try directory.names == [])
    }

    @Test func `a file too long for a WAV is refused before it is written`() async throws {
        var pattern = Pattern()
        pattern.bpm = 20
        let path = directory.file("a.wav")
        let error = ServiceError.storage(
            "\(path): expected at most \((Int(UInt32.max) - 4096) / 6) frames, which is all that fits into the file")
        let document = Document(pattern: pattern)
        await #expect(throws: error) {
            try await services.exportWAV(document, to: path, options: ExportOptions(loops: 1000, rate: 192_000))
        }
        #expect(try directory.names == [])
    }
}
