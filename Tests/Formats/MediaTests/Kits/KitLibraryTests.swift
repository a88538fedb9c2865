import Foundation
import Music
import TestSupport
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(1))) struct KitLibraryTests {
    let directory = try! TemporaryDirectory()

    private var library: KitLibrary { KitLibrary(directory: directory.file("kits")) }

    /// Writes a short sine into a kit's folder.
    private func write(_ file: String, in kit: String = "Dust", frames: Int = 480) throws {
        try write(WaveFile.bytes(WaveFile.sine(440, frames: frames)), to: file, in: kit)
    }

    private func write(_ data: Data, to file: String, in kit: String) throws {
        let folder = directory.file("kits/\(kit)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: "\(folder)/\(file)"))
    }

    @Test func `there are no kits without a directory`() {
        #expect(library.kitNames.isEmpty && library.list(sampleRate: 48_000).isEmpty)
        let folder = library.load("Dust", sampleRate: 48_000)
        #expect(folder.drums.isEmpty)
        #expect(folder.refusals == [.init(file: "Dust", error: .io(reason: "No such file or directory"))])
    }

    @Test func `kits are folders whose names no built-in kit has, sorted by name`() throws {
        for kit in ["b", "A", "808", "Classic", "Ünder"] { try write("kick.wav", in: kit) }
        for kit in [".hidden", "__MACOSX", "__macosx"] { try write("kick.wav", in: kit) }
        try directory.write("", to: "kits/file")
        try FileManager.default.createDirectory(
            atPath: directory.file("kits/" + String(repeating: "x", count: 65)), withIntermediateDirectories: true)
        #expect(library.kitNames == ["A", "b", "Ünder"])
        #expect(library.load("__MACOSX", sampleRate: 48_000).drums.isEmpty)
    }

    @Test(arguments: [("Caf\u{e9}", "Cafe\u{301}"), ("Cafe\u{301}", "Caf\u{e9}")])
    func `a kit is found under both compositions of its name`(folder: String, name: String) throws {
        try write("kick.wav", in: folder)
        #expect(library.load(name, sampleRate: 48_000).drums == [.kick])
        // A folder with exactly this name comes first.
        try write("snare.wav", in: name)
        #expect(library.load(name, sampleRate: 48_000).drums == [.snare])
    }

    @Test func `files are the drums that they are named after, in upper or lower case`() throws {
        for name in ["kick.wav", "KICK2.WAV", "Low Tom.wav", "closed hat.aiff", "cowbell"] { try write(name) }
        let folder = library.load("Dust", sampleRate: 48_000)
        #expect(folder.drums == [.kick, .kick2, .lowTom, .closedHat, .cowbell])
        #expect(folder.refusals.isEmpty)
        #expect(folder.samples[Drum.kick.rawValue]?.count == 480)
        let listed = try #require(library.list(sampleRate: 48_000).first)
        #expect(listed.drums == folder.drums && listed.samples[0]?.isEmpty == true)
    }

    @Test func `kit.json says where drums are`() throws {
        try write("closed hat.wav")
        let json = #"{"places": {"closed hat": 0.25, "Ride": -1, "kick": 0}}"#
        try write(Data(json.utf8), to: "Kit.json", in: "Dust")
        let folder = library.load("Dust", sampleRate: 48_000)
        #expect(folder.refusals.isEmpty && folder.drums == [.closedHat])
        for drum in Drum.allCases {
            #expect(folder.places[drum.rawValue] == (drum == .closedHat ? 0.25 : drum == .ride ? -1 : 0))
        }
    }

    @Test(arguments: [
        (#"{"places": {"hat": 0.25}}"#, "places.hat: no drum has this name; use one of kick, kick2, low tom"),
        (#"{"places": {"ride": 1.5}}"#, "places.ride: expected a number from -1 to 1, got 1.5"),
        (#"{"places": {"ride": "left"}}"#, "places.ride: expected a number from -1 to 1, got "),
        (#"{"places": [0.25]}"#, "places: expected an object, got "),
        (#"{"pan": {}}"#, "pan: there is no such setting; use places"),
        ("[]", "expected an object with places, got "),
        (#"{"places""#, "byte 9: expected "),
        (String(repeating: " ", count: 70_000), "expected at most 64 KiB"),
    ])
    func `a kit.json with a mistake is refused, and its kit plays in the middle`(json: String, reason: String) throws {
        try write("ride.wav")
        try write(Data(json.utf8), to: "kit.json", in: "Dust")
        let folder = library.load("Dust", sampleRate: 48_000)
        let refusal = try #require(folder.refusals.first)
        #expect(refusal.file == "kit.json" && "\(refusal.error)".hasPrefix(reason), "\(refusal.error)")
        #expect(folder.refusals.count == 1 && folder.drums == [.ride] && folder.places.allSatisfy { $0 == 0 })
    }

    @Test func `unusable files are reported with name and reason, and the rest plays`() throws {
        try write("kick.wav")
        try write("kick.flac")
        try write("tambourine.wav")
        try write(Data("no sound".utf8), to: "snare.wav", in: "Dust")
        try write(WaveFile.bytes([]), to: "clap.wav", in: "Dust")
        try write(".hidden.wav")
        let folder = library.load("Dust", sampleRate: 48_000)
        #expect(folder.drums == [.kick])
        #expect(folder.refusals.map(\.file) == ["clap.wav", "kick.wav", "snare.wav", "tambourine.wav"])
        #expect(folder.refusals.map(\.error)[0...1] == [.empty, .alreadyThere(file: "kick.flac")])
        #expect(folder.refusals[3].error == .unknownDrum)
        #expect(folder.refusals[3].error.description.hasSuffix("open hat, crash, ride, cowbell"))
        #expect(library.list(sampleRate: 48_000)[0].refusals == folder.refusals)
    }

    @Test func `a truncated file is played, and listed`() throws {
        try write("kick.wav")
        try write(WaveFile.bytes(WaveFile.sine(440, frames: 1000)).dropLast(2000), to: "snare.wav", in: "Dust")
        let folder = library.load("Dust", sampleRate: 48_000)
        #expect(folder.drums == [.kick, .snare] && folder.samples[Drum.snare.rawValue]?.count == 500)
        #expect(folder.refusals.isEmpty)
        #expect(folder.truncated == [.init(file: "snare.wav", truncation: .bytes(2000, of: 4000))])
        #expect(
            folder.problems
                == ["snare.wav: the file is truncated: it has 2000 of the 4000 bytes of sound that it should have"])
        #expect(library.list(sampleRate: 48_000)[0].truncated == folder.truncated)
    }

    @Test(arguments: ["._kick.wav", ".DS_Store", "__MACOSX/kick.wav", "Thumbs.db", "desktop.ini"])
    func `what systems leave in folders is no sample`(file: String) throws {
        try write("snare.wav")
        let folder = (directory.file("kits/Dust/\(file)") as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(Data([0, 5, 22, 7]), to: file, in: "Dust")
        #expect(library.load("Dust", sampleRate: 48_000).problems.isEmpty)
    }

    @Test func `if one file for a drum is unusable, another is used`() throws {
        try write(Data("no sound".utf8), to: "kick.aif", in: "Dust")
        try write("kick.wav")
        #expect(library.load("Dust", sampleRate: 48_000).drums == [.kick])
    }

    @Test func `a kit takes at most 32 MiB at its playing rate`() throws {
        // Ten seconds at 192 kHz are 7.3 MiB each.
        for name in KitLibrary.drumNames.sorted().prefix(6) { try write("\(name).wav", frames: 480_000) }
        #expect(library.load("Dust", sampleRate: 48_000).drums.count == 6)
        for folder in library.list(sampleRate: 192_000) {
            #expect(folder.drums.count == 4)
            #expect(folder.refusals.map(\.error) == [.noRoom, .noRoom])
        }
    }

    @Test func `a document's kit is loaded, built-in ones are not`() throws {
        try write("kick.wav")
        var document = Document()
        #expect(library.load(for: document, sampleRate: 48_000).map(\.name) == nil)
        document.set(.kit, on: .rhythm, to: "Dust")
        #expect(library.load(for: document, sampleRate: 48_000)?.drums == [.kick])
        document.set(.kit, on: .rhythm, to: "Gone")
        #expect(library.load(for: document, sampleRate: 48_000)?.drums == [])
    }

    @Test func `a task that is cancelled reads no more files`() async throws {
        try write("kick.wav")
        let folder = await Task { [library] in
            withUnsafeCurrentTask { $0?.cancel() }
            return library.load("Dust", sampleRate: 48_000)
        }.value
        #expect(folder.drums.isEmpty && folder.refusals.isEmpty)
    }

    @Test func `a folder that changes while loading gives its samples, or reasons`() async throws {
        let directory = directory
        let library = library
        try write("kick.wav")
        let (first, second) = (
            WaveFile.bytes(WaveFile.sine(440, frames: 48_000)), WaveFile.bytes(WaveFile.sine(90, frames: 300))
        )
        let changes = Task.detached {
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<400 where !Task.isCancelled {
                let path = directory.file("kits/Dust/\(KitLibrary.drumNames.randomElement(using: &generator)!).wav")
                switch Int.random(in: 0...3, using: &generator) {
                case 0: try first.write(to: URL(filePath: path))
                case 1: try second.write(to: URL(filePath: path), options: .atomic)
                case 2: truncate(path, .random(in: 0...2000, using: &generator))
                default: unlink(path)
                }
            }
        }
        for _ in 0..<(isLongRun ? 60 : 15) {
            let folder = library.load("Dust", sampleRate: 44_100)
            for samples in folder.samples { #expect(samples?.allSatisfy { abs($0) < 1.5 } != false) }
            #expect(folder.refusals.allSatisfy { !$0.error.description.isEmpty })
        }
        changes.cancel()
        _ = await changes.result
    }
}
