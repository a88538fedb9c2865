import JSON
import Music
import PatternFormat
import TestSupport
import Testing

@Suite struct EncodeTests {
    @Test func `a missing kit survives export and import`() throws {
        var pattern = Pattern()
        pattern.parameters.set(.kit, on: .rhythm, to: "Dust")
        let bytes = PatternFormat.encode(pattern).bytes
        #expect(try PatternFormat.decode(bytes) == pattern)
        #expect(try PatternFormat.decode(bytes).parameters[.kit, .rhythm] == "Dust")
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `export and import return the same pattern`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let pattern = Pattern.random(using: &random)
            let value = PatternFormat.encode(pattern)
            #expect(try PatternFormat.decode(value) == pattern)
            #expect(try PatternFormat.decode(value.bytes) == pattern)
            #expect(try PatternFormat.decode(value.prettyBytes) == pattern)
        }
    }

    @Test func `a full pattern fits into the limit`() throws {
        var pattern = Pattern()
        for track in Track.allCases {
            for step in 0..<32 { pattern[track, step] = StepNotes(track == .melody ? [11] : .all, .normal) }
        }
        #expect(try PatternFormat.decode(PatternFormat.encode(pattern).prettyBytes) == pattern)
    }

    @Test func `members and notes are in a fixed order, with rows of the grid`() {
        var pattern = Pattern()
        pattern.name = "two"
        pattern.created = 1_767_357_296
        pattern.key.root = PitchClass(10)
        pattern[.melody, 9, 8] = .accent
        pattern[.rhythm, Drum.snare.rawValue, 31] = .normal
        pattern[.rhythm, Drum.kick.rawValue, 31] = .normal
        let text = """
            {"version":1,"name":"two","created":"2026-01-02T12:34:56Z","bpm":120,"scale":"major","rootNote":"A#","length":32,\
            "swing":0.5,"tracks":{\
            "melody":{"type":"melody","notes":[{"col":13,"row":3,"pitch":69,"velocity":"accent"}]},\
            "chords":{"type":"chords","notes":[]},"bass":{"type":"bass","notes":[]},\
            "rhythm":{"type":"rhythm","notes":[{"col":38,"row":21,"pitch":36,"velocity":"normal"},\
            {"col":38,"row":20,"pitch":38,"velocity":"normal"}]}}}
            """
        #expect(PatternFormat.encode(pattern).text == text)
    }

    @Test func `hidden steps are exported`() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.bass, 0, 20] = .normal
        pattern[.bass, 0, 21] = .sustain
        #expect(try PatternFormat.decode(PatternFormat.encode(pattern)) == pattern)
    }

    @Test func `sustain cells without a head are left out`() throws {
        var pattern = Pattern()
        pattern.length = 16
        pattern[.bass, 0, 0] = .sustain
        pattern[.bass, 0, 31] = .normal
        let read = try PatternFormat.decode(PatternFormat.encode(pattern))
        #expect(read.cells.count == 1 && read.cells[.bass, 0, 31] == .normal)
    }

    @Test func `a date without a text is left out`() {
        var pattern = Pattern()
        pattern.created = .max
        pattern.modified = .min
        let object = PatternFormat.encode(pattern).objectValue
        #expect(object?["created"] == nil && object?["modified"] == nil)
    }
}
