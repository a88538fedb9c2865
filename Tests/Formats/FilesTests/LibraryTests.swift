import Files
import Foundation
import Music
import PatternFormat
import TestSupport
import Testing

@Suite struct LibraryTests {
    /// The time of saving unless given.
    private static let time = 1_767_357_296

    private let directory: TemporaryDirectory
    private let library: Library

    init() throws {
        directory = try TemporaryDirectory()
        library = Library(directory: directory.path)
    }

    private func pattern(_ name: String = "", tempo: Int = 120) -> Pattern {
        var pattern = Pattern()
        pattern.name = name
        pattern.bpm = Double(tempo)
        pattern.length = 16
        pattern.key = Key(root: PitchClass(9), scale: .minor)
        pattern.created = Self.time
        pattern.modified = Self.time
        pattern[.melody, 9, 0] = .accent
        pattern[.melody, 9, 1] = .sustain
        pattern[.bass, 4, 20] = .normal
        return pattern
    }

    @Test func `a saved pattern can be loaded under its saved name`() throws {
        try library.save(pattern("working title"), as: "Night Bus", at: Self.time)
        #expect(try library.load("Night Bus") == pattern("Night Bus"))
        #expect(try directory.names == ["Night Bus.json"])
        #expect(try PatternFormat.decode(directory.read("Night Bus.json")).name == "Night Bus")
    }

    @Test func `a pattern too large to be indented is saved compactly, so that it can be loaded`() throws {
        var full = Pattern()
        (full.name, full.created, full.modified) = ("full", Self.time, Self.time)
        let note = Note(.accent, [.level: -24, .chance: 10, .cycle: 37, .ratchet: 8, .nudge: -50])
        for slot in Slot.all {
            for step in 0..<SlotNotes.stepCount {
                for number in slot.track == .melody ? 11..<12 : 0..<12 { full[slot][step][whole: number] = note }
            }
        }
        try library.save(full, as: "full", at: Self.time)
        let isWhole = try library.load("full") == full
        #expect(isWhole)
        #expect(try directory.read("full.json").split(separator: UInt8(ascii: "\n")).count == 1)
    }

    @Test func `a new library begins with another's patterns, an existing one is left alone`() throws {
        try library.save(pattern(tempo: 100), as: "house", at: Self.time)
        try directory.write("no pattern", to: "broken.json")
        let new = Library(directory: directory.file("new"))
        try new.begin(with: library)
        #expect(try new.list().map(\.name) == ["house"])
        #expect(try new.load("house") == library.load("house"))
        try new.delete("house")
        try new.begin(with: library)
        #expect(try new.list().isEmpty)
        let other = Library(directory: directory.file("other"))
        try other.begin(with: Library(directory: directory.file("nothing")))
        #expect(try other.list().isEmpty)
    }

    @Test func `saving again overwrites`() throws {
        try library.save(pattern(tempo: 100), as: "a", at: Self.time)
        try library.save(pattern(tempo: 140), as: "a", at: Self.time)
        #expect(try library.load("a").bpm == 140)
        #expect(try directory.names == ["a.json"])
    }

    @Test func `a file records when it was first saved, or its pattern created, and last saved`() throws {
        var new = pattern()
        new.created = nil
        new.modified = nil
        for (time, created) in [(1000, 1000), (2000, 1000), (3000, 1000)] {
            try library.save(new, as: "a", at: time)
            #expect(try library.load("a").created == created)
            #expect(try library.load("a").modified == time)
        }
        try library.save(try library.load("a"), as: "b", at: 4000)
        #expect(try library.load("b").created == 1000)
        #expect(try library.load("b").modified == 4000)
        try directory.write("no pattern", to: "c.json")
        try library.save(new, as: "c", at: 5000)
        #expect(try library.load("c").created == 5000)
    }

    @Test func `the first save creates a missing directory, for its owner only`() throws {
        let library = Library(directory: directory.file("share/pixelboop/patterns"))
        #expect(try library.list() == [])
        #expect(throws: LibraryError.notFound(name: "a")) { try library.load("a") }
        try library.save(pattern(), as: "a", at: Self.time)
        #expect(try library.list().map(\.name) == ["a"])
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("share"))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `the list shows each file's pattern, sorted by name regardless of case`() throws {
        for name in ["b", "A", "c", "Z", "é"] { try library.save(pattern(), as: name, at: Self.time) }
        let list = try library.list()
        #expect(list.map(\.name) == ["A", "b", "c", "Z", "é"])
        #expect(list.allSatisfy { (try? $0.pattern.get()) == pattern($0.name) })
    }

    @Test func `files that another program changed, added or removed are noticed`() throws {
        try library.save(pattern(), as: "a", at: Self.time)
        try directory.write(#"{"bpm": 99, "tracks": {}}"#, to: "a.json")
        try directory.write(#"{"bpm": 98, "tracks": {}}"#, to: "from a friend.json")
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: directory.file("a.json"))
        var list = try library.list()
        #expect(list.map(\.name) == ["a", "from a friend"])
        #expect(try list.map { try $0.pattern.get().bpm } == [99, 98])
        #expect(list[0].modified == 1_700_000_000)
        #expect(try library.load("a").bpm == 99)
        try FileManager.default.removeItem(atPath: directory.file("a.json"))
        list = try library.list()
        #expect(list.map(\.name) == ["from a friend"])
    }

    @Test func `files that cannot be loaded are listed with the reason`() throws {
        try directory.write("[not JSON]", to: "text.json")
        try directory.write(#"{"bpm": 5, "tracks": {}}"#, to: "slow.json")
        try directory.write(String(repeating: " ", count: (2 << 20) + 1), to: "large.json")
        try FileManager.default.createDirectory(
            atPath: directory.file("folder.json"), withIntermediateDirectories: false)
        #expect(mkfifo(directory.file("pipe.json"), 0o600) == 0)
        let tooLarge = LibraryError.notAPattern(name: "large", PatternError(place: "", message: "larger than 2 MiB"))
        let slow = PatternError(place: "bpm", message: "expected a number from 20 to 300, got 5")
        let text = PatternError(place: "", message: "not JSON: byte 1: expected null")
        let expected: [String: LibraryError] = [
            "text": .notAPattern(name: "text", text), "slow": .notAPattern(name: "slow", slow), "large": tooLarge,
            "folder": .io(reason: "cannot read \(directory.file("folder.json")): Is a directory"),
            "pipe": .io(reason: "cannot read \(directory.file("pipe.json")): Invalid argument"),
        ]
        let list = try library.list()
        #expect(list.count == expected.count)
        for entry in list {
            let error = try #require(expected[entry.name])
            #expect(entry.pattern == .failure(error))
            #expect(throws: error) { try library.load(entry.name) }
        }
    }

    @Test func `saving over a file that is not a pattern keeps it under another name`() throws {
        for (text, kept) in [("{,}", "Night Bus.json.bak"), ("[]", "Night Bus.json.bak2")] {
            try directory.write(text, to: "Night Bus.json")
            try library.save(pattern(), as: "Night Bus", at: Self.time)
            #expect(try String(decoding: directory.read(kept), as: UTF8.self) == text)
        }
        #expect(try library.load("Night Bus") == pattern("Night Bus"))
        #expect(try library.list().map(\.name) == ["Night Bus"])
    }

    /// Long names, and how many of their bytes fit in front of `.json.bak`.
    static let longNames: [(name: String, bytes: Int)] = [
        (String(repeating: "🎹", count: 62), 244), (String(repeating: "n", count: 64), 64),
        (String(repeating: "é", count: 64), 128), (String(repeating: "👍🏽", count: 31), 240),
        ("a" + String(repeating: "🎹", count: 62), 245), ("a" + String(repeating: "\u{301}", count: 124), 245),
    ]

    @Test(arguments: longNames)
    func `a file that is kept has a name that fits, cut between characters`(
        name: String, bytes: Int
    ) throws {
        for (text, ending) in [("{,}", ".json.bak"), ("[]", ".json.bak2")] {
            try directory.write(text, to: name + ".json")
            try library.save(pattern(), as: name, at: Self.time)
            let kept = try #require(try directory.names.first { $0.hasSuffix(ending) })
            #expect(kept.utf8.count <= 255 && !kept.unicodeScalars.contains("\u{fffd}"))
            let stem = kept.dropLast(ending.count)
            #expect(stem.utf8.elementsEqual(name.utf8.prefix(stem.utf8.count)))
            if ending == ".json.bak" { #expect(stem.utf8.count == bytes) }
            #expect(try String(decoding: directory.read(kept), as: UTF8.self) == text)
        }
        #expect(try library.list().map(\.name) == [name])
    }

    @Test func `files that are not pattern files are not listed`() throws {
        for name in [
            ".hidden.json", "notes.txt", "json", ".json", "x.JSON", String(repeating: "n", count: 65) + ".json",
            "a\nb.json",
        ] {
            try directory.write("{}", to: name)
        }
        symlink("nowhere", directory.file("dangling.json"))
        #expect(try library.list() == [])
    }

    @Test func `rename moves the file and refuses to overwrite`() throws {
        try library.save(pattern(tempo: 100), as: "a", at: Self.time)
        try library.save(pattern(tempo: 140), as: "b", at: Self.time)
        #expect(throws: LibraryError.alreadyExists(name: "b")) { try library.rename("a", to: "b") }
        #expect(try library.load("b").bpm == 140)
        try library.rename("a", to: "c")
        #expect(try library.load("c") == pattern("c", tempo: 100))
        #expect(try directory.names == ["b.json", "c.json"])
        #expect(throws: LibraryError.notFound(name: "a")) { try library.rename("a", to: "d") }
        try library.rename("b", to: "b")
        #expect(try directory.names == ["b.json", "c.json"])
    }

    @Test func `delete removes the file`() throws {
        try library.save(pattern(), as: "a", at: Self.time)
        try library.delete("a")
        #expect(try directory.names == [])
        #expect(throws: LibraryError.notFound(name: "a")) { try library.delete("a") }
    }

    @Test func `two compositions of a name are one pattern`() throws {
        let composed = "caf\u{e9}"
        let decomposed = "cafe\u{301}"
        try directory.write(#"{"bpm": 99, "tracks": {}}"#, to: decomposed + ".json")
        #expect(try library.load(composed).bpm == 99)
        try library.save(pattern(tempo: 140), as: composed, at: Self.time)
        #expect(try directory.names.count == 1)
        #expect(try library.load(decomposed).bpm == 140)
        try library.save(pattern(), as: "other", at: Self.time)
        #expect(throws: LibraryError.alreadyExists(name: composed)) { try library.rename("other", to: composed) }
        try library.rename(decomposed, to: composed)
        #expect(try directory.names.contains { $0.utf8.elementsEqual("\(composed).json".utf8) })
        try library.delete(decomposed)
        #expect(try directory.names == ["other.json"])
    }

    static let goodNames = [
        "a", "Night Bus", "日本語", "👩‍👩‍👧‍👦", "a.b", "a.json", "-rf", "~", "a\\b", "café", "ש\u{5b8}לום",
        String(repeating: "n", count: 64), String(repeating: "é", count: 64), " a ",
    ]

    @Test(arguments: goodNames)
    func `names in any script can be used`(name: String) throws {
        try library.save(pattern(), as: name, at: Self.time)
        #expect(try library.list().map(\.name) == [name])
        #expect(try library.load(name) == pattern(name))
        try library.delete(name)
        #expect(try directory.names == [])
    }

    static let badNames = [
        ("", "it is empty"), (".", "it starts with a dot"), ("..", "it starts with a dot"),
        (".a", "it starts with a dot"),
        ("a/b", "it contains a slash"), ("../a", "it starts with a dot"), ("/etc/passwd", "it contains a slash"),
        ("a/\u{301}b", "it contains a slash"), (".\u{301}a", "it starts with a dot"),
        ("a\nb", "it contains a control character"), ("a\0", "it contains a control character"),
        ("a\r\n", "it contains a control character"), ("\u{85}", "it contains a control character"),
        ("a\u{2028}b", "it contains a line separator"), ("\u{7f}", "it contains a control character"),
        (String(repeating: "n", count: 65), "it has more than 64 characters"),
        (String(repeating: "👩‍👩‍👧‍👦", count: 11), "it has more than 250 bytes"),
        ("a" + String(repeating: "\u{301}", count: 200), "it has more than 250 bytes"),
    ]

    @Test(arguments: badNames)
    func `unsafe names are refused by every method`(name: String, reason: String) throws {
        try library.save(pattern(), as: "there", at: Self.time)
        let error = LibraryError.invalidName(name: name, reason: reason)
        #expect(throws: error) { try library.save(pattern(), as: name, at: Self.time) }
        #expect(throws: error) { try library.load(name) }
        #expect(throws: error) { try library.delete(name) }
        #expect(throws: error) { try library.rename(name, to: "x") }
        #expect(throws: error) { try library.rename("there", to: name) }
        #expect(try directory.names == ["there.json"])
    }

    @Test func `errors read as sentences`() {
        #expect(LibraryError.notFound(name: "x").description == "no pattern named \"x\"")
        #expect(
            LibraryError.invalidName(name: "", reason: "it is empty").description
                == "\"\" cannot be a pattern's name: it is empty")
        #expect(LibraryError.alreadyExists(name: "x").description == "there is already a pattern named \"x\"")
        let error = PatternError(place: "bpm", message: "missing")
        #expect(
            LibraryError.notAPattern(name: "x", error).description == "the file \"x\" is not a pattern: bpm: missing")
        #expect(LibraryError.io(reason: "cannot read").description == "cannot read")
    }
}
