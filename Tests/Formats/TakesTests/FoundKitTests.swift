import Engine
import Export
import Foundation
import Media
import Music
import TestSupport
import Testing

/// Kits of samples that takes played, found again by what is in their files.
@Suite(.timeLimit(.minutes(1))) struct FoundKitTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var library: KitLibrary { KitLibrary(directory: directory.file("kits")) }

    private func path(_ file: String, in kit: String = "Dust") -> String { directory.file("kits/\(kit)/\(file)") }

    private func write(_ frequency: Double, to file: String, in kit: String = "Dust") throws {
        try FileManager.default.createDirectory(atPath: path("", in: kit), withIntermediateDirectories: true)
        try WaveFile.bytes(WaveFile.sine(frequency, frames: 480)).write(to: URL(filePath: path(file, in: kit)))
    }

    private func move(_ file: String, to other: String, in kit: String) throws {
        try FileManager.default.createDirectory(atPath: path("", in: kit), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path(file), toPath: path(other, in: kit))
    }

    /// What a take keeps of a kit of three drums.
    private func fingerprint(sampleRate: Int = 48_000) throws -> KitFingerprint {
        try write(440, to: "kick.wav")
        try write(660, to: "snare.wav")
        try write(880, to: "closed hat.wav")
        try Data(#"{"places": {"snare": -0.5}}"#.utf8).write(to: URL(filePath: path("kit.json")))
        let kit = SampleKit(library.load("Dust", sampleRate: sampleRate), sampleRate: sampleRate)
        return try #require(kit?.fingerprint)
    }

    @Test func `each drum with a sample has hashes of its file and of its samples, and its place`() throws {
        let print = try fingerprint()
        #expect(print.name == "Dust" && print.sampleRate == 48_000)
        #expect(print.drums.map(\.drum) == [Drum.kick, .snare, .closedHat].map(\.rawValue))
        #expect(Set(print.drums.map(\.file)).count == 3 && Set(print.drums.map(\.samples)).count == 3)
        #expect(print.drums.map(\.place) == [0, -0.5, 0])
        let other = try fingerprint(sampleRate: 44_100)
        #expect(other.drums.map(\.file) == print.drums.map(\.file))
        #expect(zip(other.drums, print.drums).allSatisfy { $0.samples != $1.samples })
        // FNV-1a, as published.
        try Data("foobar".utf8).write(to: URL(filePath: path("x.wav")))
        #expect(library.find([0x8594_4171_f739_67e8], beginningWith: "Dust").values.map { $0 } == [path("x.wav")])
    }

    @Test func `a kit that has not changed is found with all its drums`() throws {
        let print = try fingerprint()
        let found = FoundKit(print, in: library, sampleRate: 48_000)
        #expect(found.changedDrums == [] && found.kit?.sampleRate == 48_000)
        let other = FoundKit(print, in: library, sampleRate: 96_000)
        #expect(other.changedDrums == [] && other.kit?.sampleRate == 96_000)
    }

    @Test func `files are found under other names and in other kits, wherever kit.json puts their drums now`() throws {
        let print = try fingerprint()
        try move("kick.wav", to: "ride.wav", in: "Dust")
        try move("snare.wav", to: "what this was.wav", in: "Other")
        try FileManager.default.removeItem(atPath: path("kit.json"))
        #expect(FoundKit(print, in: library, sampleRate: 48_000).changedDrums == [])
        try FileManager.default.moveItem(atPath: directory.file("kits/Dust"), toPath: directory.file("kits/Renamed"))
        #expect(FoundKit(print, in: library, sampleRate: 48_000).changedDrums == [])
    }

    @Test func `a kit is found whose folder's name is composed otherwise`() throws {
        let print = KitFingerprint(name: "Caf\u{e9}", sampleRate: 48_000, drums: try fingerprint().drums)
        try FileManager.default.moveItem(
            atPath: directory.file("kits/Dust"), toPath: directory.file("kits/Cafe\u{301}"))
        let found = FoundKit(print, in: library, sampleRate: 48_000)
        #expect(found.changedDrums == [] && found.kit != nil)
    }

    @Test func `a changed drum sounds as it does now, a missing one not at all, and both are named`() throws {
        let print = try fingerprint()
        try write(441, to: "kick.wav")
        try FileManager.default.removeItem(atPath: path("snare.wav"))
        let found = FoundKit(print, in: library, sampleRate: 48_000)
        #expect(found.changedDrums == [.kick, .snare] && found.kit != nil)
        try FileManager.default.removeItem(atPath: directory.file("kits"))
        let nothing = FoundKit(print, in: library, sampleRate: 48_000)
        #expect(nothing.changedDrums == [.kick, .snare, .closedHat] && nothing.kit == nil)
    }

    @Test func `a cancelled search ends`() async throws {
        let (library, hashes) = (library, Set(try fingerprint().drums.map(\.file)))
        #expect(library.find(hashes, beginningWith: "Dust").count == 3)
        let found = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return library.find(hashes, beginningWith: "Dust")
        }.value
        #expect(found.isEmpty)
    }

    @Test func `a folder without samples makes no kit`() throws {
        try FileManager.default.createDirectory(atPath: path(""), withIntermediateDirectories: true)
        #expect(SampleKit(library.load("Dust", sampleRate: 48_000), sampleRate: 48_000) == nil)
    }
}
