import JSON
import Music
import PatternFormat
import TestSupport
import Testing

@Suite struct RefusalTests {
    static let settings: [(String, JSONValue, String)] = [
        ("version", 2, "expected 1, got 2"), ("version", "1", #"expected 1, got "1""#),
        ("version", 1.5, "expected 1, got 1.5"),
        ("name", 7, "expected a string of at most 256 characters without control characters, got 7"),
        ("name", .null, "expected a string of at most 256 characters without control characters, got null"),
        ("bpm", 19.99, "expected a number from 20 to 300, got 19.99"),
        ("bpm", 300.01, "expected a number from 20 to 300, got 300.01"),
        ("bpm", "120", #"expected a number from 20 to 300, got "120""#),
        ("bpm", [120], "expected a number from 20 to 300, got an array"),
        ("scale", "dorian", #"expected one of major, minor, penta, got "dorian""#),
        ("scale", "Major", #"expected one of major, minor, penta, got "Major""#),
        ("scale", 1, "expected one of major, minor, penta, got 1"),
        ("rootNote", "Db", #"expected one of C, C#, D, D#, E, F, F#, G, G#, A, A#, B, got "Db""#),
        ("rootNote", "H", #"expected one of C, C#, D, D#, E, F, F#, G, G#, A, A#, B, got "H""#),
        ("rootNote", 0, "expected one of C, C#, D, D#, E, F, F#, G, G#, A, A#, B, got 0"),
        ("length", 7, "expected an integer from 8 to 32, got 7"),
        ("length", 33, "expected an integer from 8 to 32, got 33"),
        ("length", 16.5, "expected an integer from 8 to 32, got 16.5"),
        ("length", true, "expected an integer from 8 to 32, got true"),
        ("swing", 0.49, "expected a number from 0.5 to 0.75, got 0.49"),
        ("swing", 0.76, "expected a number from 0.5 to 0.75, got 0.76"),
        ("swing", .object([:]), "expected a number from 0.5 to 0.75, got an object"),
        ("created", "yesterday", #"expected a date like 2026-01-02T12:34:56Z, got "yesterday""#),
        ("modified", 1_767_357_296, "expected a date like 2026-01-02T12:34:56Z, got 1767357296"),
        ("tracks", [], "expected an object, got an array"), ("tracks", .null, "expected an object, got null"),
    ]

    @Test(arguments: settings)
    func `an invalid setting is refused with its name`(name: String, value: JSONValue, message: String) {
        var object: JSONObject = ["tracks": .object([:])]
        object[name] = value
        #expect(refusal(of: .object(object)) == PatternError(place: name, message: message))
    }

    @Test func `a name may have 256 characters and no more`() throws {
        var object: JSONObject = ["tracks": .object([:])]
        object["name"] = .string(String(repeating: "é", count: 256))
        #expect(try PatternFormat.decode(.object(object)).name.count == 256)
        object["name"] = .string(String(repeating: "é", count: 257))
        #expect(refusal(of: .object(object))?.place == "name")
    }

    @Test(arguments: ["\u{0}", "\t", "\n", "\u{1b}", "\u{1f}", "\u{7f}", "\u{80}", "\u{9b}", "\u{9f}"])
    func `a control character in a name is refused from programs, and read as a space from files`(character: String)
        throws
    {
        let object: JSONValue = ["name": .string("a\(character)b"), "tracks": .object([:])]
        let error = refusal(of: object)
        #expect(error?.place == "name")
        #expect(error?.message.hasPrefix("expected a string of at most 256 characters without control") == true)
        #expect(try PatternFormat.decode(object.bytes).name == "a b")
    }

    @Test(arguments: [" ", "~", "\u{a0}", "é", "\u{1F3B9}", "\u{200d}"])
    func `other characters of a name stay as they are`(character: String) throws {
        let object: JSONValue = ["name": .string("a\(character)b"), "tracks": .object([:])]
        #expect(try PatternFormat.decode(object).name == "a\(character)b")
        #expect(try PatternFormat.decode(object.bytes).name == "a\(character)b")
    }

    static let notes: [(String, JSONValue, String, String)] = [
        ("melody", .note(12), ".col", "12 is a bar separator"),
        ("bass", .note(21, 36), ".col", "21 is a bar separator"),
        ("rhythm", .note(30, 36), ".col", "30 is a bar separator"),
        ("melody", .note(3), ".col", "expected the column of a step, 4 to 38, got 3"),
        ("melody", .note(39), ".col", "expected the column of a step, 4 to 38, got 39"),
        ("melody", .note(.integer(.min)), ".col", "expected the column of a step, 4 to 38, got -9223372036854775808"),
        ("melody", .note(4.5), ".col", "expected the column of a step, 4 to 38, got 4.5"),
        ("melody", .note("4"), ".col", #"expected the column of a step, 4 to 38, got "4""#),
        ("melody", .note(4, 59), ".pitch", "expected a MIDI pitch of melody, 60 to 71, got 59"),
        ("melody", .note(4, 72), ".pitch", "expected a MIDI pitch of melody, 60 to 71, got 72"),
        ("chords", .note(4, 60), ".pitch", "expected a MIDI pitch of chords, 48 to 59, got 60"),
        ("bass", .note(4, 35), ".pitch", "expected a MIDI pitch of bass, 36 to 47, got 35"),
        (
            "bass", .note(4, .integer(.min)), ".pitch",
            "expected a MIDI pitch of bass, 36 to 47, got -9223372036854775808"
        ),
        ("rhythm", .note(4, 41), ".pitch", "expected the General MIDI key of one of the 12 drums, got 41"),
        ("rhythm", .note(4, .null), ".pitch", "expected the General MIDI key of one of the 12 drums, got null"),
        ("melody", .note(4, 60, "loud"), ".velocity", #"expected one of normal, accent, sustain, got "loud""#),
        ("melody", .note(4, 60, "off"), ".velocity", #"expected one of normal, accent, sustain, got "off""#),
        ("melody", .note(4, 60, 100), ".velocity", "expected one of normal, accent, sustain, got 100"),
        ("melody", ["pitch": 60, "velocity": "normal"], ".col", "expected the column of a step, 4 to 38, got nothing"),
        (
            "melody", ["col": 4, "velocity": "normal"], ".pitch",
            "expected a MIDI pitch of melody, 60 to 71, got nothing"
        ),
        ("melody", ["col": 4, "pitch": 60], ".velocity", "expected one of normal, accent, sustain, got nothing"),
        (
            "melody", ["col": 4, "pitch": 60, "velocity": "normal", "chance": 101], ".chance",
            "expected an integer from 0 to 100, got 101"
        ),
        ("melody", [4, 60], "", "expected an object, got an array"),
        ("melody", .null, "", "expected an object, got null"),
    ]

    @Test(arguments: notes)
    func `an invalid note is refused with its place`(
        track: String, note: JSONValue, member: String, message: String
    ) throws {
        let lowest = try #require(Track(name: track)).midiPitch(of: 0)
        let fine = (5...7).map { JSONValue.note(.integer($0), .integer(lowest)) }
        let error = refusal(of: patternJSON(track, notes: .array(fine + [note])))
        #expect(error == PatternError(place: "tracks.\(track).notes[3]\(member)", message: message))
    }

    @Test func `steps beyond 31 are refused where columns are steps`() {
        for column in [-1, 32, .min, .max] {
            let error = refusal(of: patternJSON(notes: [.note(.integer(column))]), columns: .step)
            #expect(
                error
                    == PatternError(
                        place: "tracks.melody.notes[0].col", message: "expected an integer from 0 to 31, got \(column)")
            )
        }
        #expect(refusal(of: patternJSON(notes: [.note(12)]), columns: .step) == nil)
    }

    @Test func `a second melody note on a step is refused, even if one of them would be dropped`() {
        for velocity in ["normal", "sustain"] as [JSONValue] {
            let error = refusal(of: patternJSON(notes: [.note(5, 60), .note(4, 60), .note(4, 64, velocity)]))
            #expect(error == PatternError(place: "tracks.melody.notes[2]", message: "a second melody note on step 0"))
        }
    }

    @Test(arguments: Track.allCases)
    func `the same note twice on a step is refused`(track: Track) {
        let pitch = JSONValue.integer(track.midiPitch(of: 7))
        let error = refusal(of: patternJSON(track.name, notes: [.note(13, pitch), .note(13, pitch, "accent")]))
        #expect(
            error
                == PatternError(place: "tracks.\(track.name).notes[1]", message: "the same note comes twice on step 8"))
    }

    static let shapes: [(JSONValue, String, String)] = [
        ([], "", "expected an object, got an array"), (.null, "", "expected an object, got null"),
        (.object([:]), "tracks", "expected an object, got nothing"),
        (["tracks": ["bass": []]], "tracks.bass", "expected an object, got an array"),
        (["tracks": ["bass": ["type": "melody"]]], "tracks.bass.type", #"expected "bass", got "melody""#),
        (["tracks": ["bass": ["type": 3]]], "tracks.bass.type", #"expected "bass", got 3"#),
        (["tracks": ["bass": ["notes": .object([:])]]], "tracks.bass.notes", "expected an array, got an object"),
    ]

    @Test(arguments: shapes)
    func `a value of the wrong shape is refused`(value: JSONValue, place: String, message: String) {
        #expect(refusal(of: value) == PatternError(place: place, message: message))
    }

    @Test func `the error reads as place and message`() {
        #expect(
            PatternError(place: "tracks.melody.notes[3].col", message: "12 is a bar separator").description
                == "tracks.melody.notes[3].col: 12 is a bar separator")
        #expect(PatternError(place: "", message: "larger than 2 MiB").description == "larger than 2 MiB")
    }

    @Test func `a long invalid text is cut in the message`() {
        let error = refusal(of: ["scale": .string(String(repeating: "x", count: 500)), "tracks": .object([:])])
        let shown = String(repeating: "x", count: 40)
        #expect(error?.message == "expected one of major, minor, penta, got \"\(shown)…\"")
    }

    @Test func `a text of up to 2 MiB is read, a longer one is refused`() throws {
        func text(size: Int) -> [UInt8] {
            let frame = #"{"tracks":{},"comment":""}"#
            let comment = String(repeating: "x", count: size - frame.utf8.count)
            return Array(#"{"tracks":{},"comment":"\#(comment)"}"#.utf8)
        }
        let limit = 2 << 20
        #expect(try PatternFormat.decode(text(size: limit)) == Pattern())
        #expect(try PatternFormat.decode(JSONValue(parsing: text(size: limit))) == Pattern())
        let tooLarge = PatternError(place: "", message: "larger than 2 MiB")
        #expect(throws: tooLarge) { try PatternFormat.decode(text(size: limit + 1)) }
        #expect(throws: tooLarge) { try PatternFormat.decode(JSONValue(parsing: text(size: limit + 1))) }
    }

    @Test(arguments: [
        ("MThd\u{0}\u{0}\u{0}\u{6}", "a MIDI file"), ("RIFF\u{24}\u{0}\u{0}\u{0}WAVEfmt ", "a WAV file"),
        ("fLaC", "a FLAC file"), ("ID3\u{4}", "an MP3 file"), ("PK\u{3}\u{4}", "a ZIP archive"),
    ])
    func `a file of another kind is refused with its kind`(content: String, kind: String) {
        #expect(throws: PatternError(place: "", message: "this is \(kind); patterns are JSON")) {
            try PatternFormat.decode(Array(content.utf8))
        }
    }

    @Test func `text that is not JSON, or nested more than 64 levels, is refused with the byte`() {
        #expect(throws: PatternError(place: "", message: "not JSON: byte 0: expected a value")) {
            try PatternFormat.decode("".utf8)
        }
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: PatternError(place: "", message: "not JSON: byte 75: expected at most 64 levels of nesting")) {
            try PatternFormat.decode(#"{"ignored": \#(deep), "tracks": {}}"#.utf8)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a corrupted file is read or refused, but never crashes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let original = PatternFormat.encode(.random(using: &random)).bytes
        for _ in 0..<100 {
            let bytes = LineMutator.damage(original, using: &random)
            guard let pattern = try? PatternFormat.decode(bytes) else { continue }
            #expect(throws: Never.self) { try PatternFormat.decode(PatternFormat.encode(pattern)) }
        }
    }
}
