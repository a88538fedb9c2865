import JSON
import Music
import PatternFormat
import TestSupport
import Testing

@Suite struct SlotTests {
    private static func pattern(seed: UInt64) -> Pattern {
        var random = SeededGenerator(seed: seed)
        var pattern = Pattern()
        for _ in 0..<12 {
            let slot = Slot(Track.allCases.randomElement(using: &random)!, .random(in: 0..<Slot.count, using: &random))
            var notes = SlotNotes()
            notes[.random(in: 0..<32, using: &random)][.random(in: 0..<12, using: &random)] = .accent
            pattern[slot] = notes
            if Bool.random(using: &random) { pattern.playing.play(slot) }
        }
        return pattern
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `a written pattern is read back unchanged`(seed: UInt64) throws {
        let pattern = Self.pattern(seed: seed)
        #expect(try PatternFormat.decode(PatternFormat.encode(pattern).prettyBytes) == pattern)
    }

    @Test func `motions are points by step, in playing slots and in slots that hold nothing else`() throws {
        var pattern = Pattern()
        pattern[.bass].motions[.tone, 16] = 12
        pattern[.bass].motions[.tone, 0] = -12
        pattern[Slot(.chords, 4)].motions[.pan, 31] = 0.25
        let object = PatternFormat.encode(pattern).objectValue
        #expect(object?["tracks"]?.objectValue?["bass"]?.objectValue?["motion"] == ["tone": [[0, -12], [16, 12]]])
        #expect(object?["tracks"]?.objectValue?["melody"]?.objectValue?["motion"] == nil)
        #expect(object?["slots"] == ["chords": ["5": ["notes": [], "motion": ["pan": [[31, 0.25]]]]]])
        #expect(try PatternFormat.decode(PatternFormat.encode(pattern).prettyBytes) == pattern)
    }

    @Test(arguments: [
        (#"[]"#, "tracks.bass.motion: expected an object, got an array"),
        (#"{"tone": 3}"#, "tracks.bass.motion.tone: expected an array, got 3"),
        (#"{"tone": [[0, -12], 3]}"#, "tracks.bass.motion.tone[1]: expected a step and a value, got 3"),
        (#"{"tone": [[0]]}"#, "tracks.bass.motion.tone[0]: expected a step and a value, got an array"),
        (#"{"tone": [[32, 0]]}"#, "tracks.bass.motion.tone[0][0]: expected an integer from 0 to 31, got 32"),
        (#"{"tone": [[0, 25]]}"#, "tracks.bass.motion.tone[0][1]: expected a number from -24 to 24, got 25"),
        (#"{"gain": [[3, 1], [3, 1]]}"#, "tracks.bass.motion.gain[1]: a second point on step 3"),
    ]) func `invalid motions are refused with their place`(motion: String, message: String) throws {
        let object: JSONValue = ["tracks": ["bass": ["motion": try JSONValue(parsing: motion)]]]
        #expect { try PatternFormat.decode(object) } throws: { "\($0)" == message }
    }

    @Test func `a pattern that uses only the first slots is written without slots`() {
        let object = PatternFormat.encode(Pattern()).objectValue
        #expect(object?["playing"] == nil && object?["slots"] == nil)
    }

    @Test func `slots that play are named, others are listed while they have notes`() {
        var pattern = Pattern()
        pattern[.melody, 0, 0] = .normal
        pattern.playing.play(Slot(.melody, 2))
        let object = PatternFormat.encode(pattern).objectValue
        #expect(object?["playing"] == ["melody": 3, "chords": 1, "bass": 1, "rhythm": 1])
        #expect(
            object?["slots"] == [
                "melody": ["1": ["notes": [["col": 4, "row": 7, "pitch": 60, "velocity": "normal"]]]]
            ])
    }

    @Test(arguments: [
        (#"{"playing": {"bass": 9}}"#, "playing.bass: expected an integer from 1 to 8, got 9"),
        (#"{"slots": {"bass": {"9": {}}}}"#, "slots.bass.9: no such slot; slots are 1 to 8"),
        (#"{"slots": {"bass": {"0": {}}}}"#, "slots.bass.0: no such slot; slots are 1 to 8"),
        (#"{"slots": {"bass": {"02": {}}}}"#, "slots.bass.02: no such slot; slots are 1 to 8"),
        (#"{"slots": {"bass": {"1": {}}}}"#, "slots.bass.1: this slot plays: its notes belong in tracks"),
        (
            #"{"playing": {"bass": 3}, "slots": {"bass": {"3": {}}}}"#,
            "slots.bass.3: this slot plays: its notes belong in tracks"
        ),
        (
            #"{"slots": {"bass": {"2": {"notes": [{"col": 4, "pitch": 1, "velocity": "normal"}]}}}}"#,
            "slots.bass.2.notes[0].pitch: expected a MIDI pitch of bass, 36 to 47, got 1"
        ),
    ]) func `invalid slots are refused with their place`(text: String, message: String) throws {
        var object = try #require(JSONValue(parsing: text).objectValue)
        object["tracks"] = [:]
        #expect { try PatternFormat.decode(.object(object)) } throws: { "\($0)" == message }
    }
}
