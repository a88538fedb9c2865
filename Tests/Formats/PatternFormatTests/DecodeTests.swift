import Foundation
import JSON
import Music
import PatternFormat
import TestSupport
import Testing

@Suite struct DecodeTests {
    @Test func `missing members get their defaults`() throws {
        #expect(try PatternFormat.decode(["tracks": .object([:])]) == Pattern())
        #expect(try PatternFormat.decode(["tracks": ["bass": .object([:])]]) == Pattern())
    }

    @Test func `every member is read`() throws {
        let text = """
            {"version": 1, "name": "Night Bus", "created": "2026-01-02T12:34:56Z", "modified": "2026-01-03T00:00:00.999Z",
             "bpm": 127.31, "scale": "minor", "rootNote": "F#", "length": 16, "swing": 0.62, "mood": "blue",
             "tracks": {"melody": {"type": "melody", "color": 3, "notes": [
                            {"col": 4, "row": 3, "pitch": 69, "velocity": "accent", "id": "x"},
                            {"col": 5, "row": "ignored", "pitch": 69, "velocity": "sustain"}]},
                        "rhythm": {"type": "rhythm", "notes": [{"col": 13, "row": 21, "pitch": 36, "velocity": "normal"}]},
                        "lead": 7}}
            """
        let pattern = try PatternFormat.decode(text.utf8)
        #expect(pattern.name == "Night Bus")
        #expect(pattern.created == 1_767_357_296)
        #expect(pattern.modified == 1_767_398_400)
        #expect(pattern.bpm == 127.31)
        #expect(pattern.key == Key(root: PitchClass(6), scale: .minor))
        #expect(pattern.length == 16)
        #expect(pattern.swing == 0.62)
        #expect(pattern.cells.count == 3)
        #expect(pattern[.melody, 9, 0] == .accent)
        #expect(pattern[.melody, 9, 1] == .sustain)
        #expect(pattern[.rhythm, Drum.kick.rawValue, 8] == .normal)
    }

    @Test func `columns are those of the grid, or steps`() throws {
        for (column, step) in [(4, 0), (11, 7), (13, 8), (20, 15), (22, 16), (29, 23), (31, 24), (38, 31)] {
            let pattern = try PatternFormat.decode(patternJSON(notes: [.note(.integer(column))]))
            #expect(pattern[.melody, 0, step] == .normal)
        }
        for step in 0..<32 {
            let pattern = try PatternFormat.decode(patternJSON(notes: [.note(.integer(step))]), columns: .step)
            #expect(pattern[.melody, 0, step] == .normal)
        }
    }

    @Test func `pitches decide the note, drums by their General MIDI keys`() throws {
        for (track, lowest) in [(Track.melody, 60), (.chords, 48), (.bass, 36)] {
            for note in 0..<12 {
                let json = patternJSON(track.name, notes: [.note(4, .integer(lowest + note))])
                #expect(try PatternFormat.decode(json).cells[track, note, 0] == .normal)
            }
        }
        for (note, key) in [36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56].enumerated() {
            let json = patternJSON("rhythm", notes: [.note(4, .integer(key))])
            #expect(try PatternFormat.decode(json).cells[.rhythm, note, 0] == .normal)
        }
    }

    @Test func `numbers are read however they are written`() throws {
        let text = """
            {"version": 1.0, "bpm": 1.2e2, "length": 16.0, "swing": 5e-1,
             "tracks": {"melody": {"notes": [{"col": 4.0, "pitch": 6e1, "velocity": "normal"}]}}}
            """
        let pattern = try PatternFormat.decode(text.utf8)
        #expect(pattern.length == 16 && pattern[.melody, 0, 0] == .normal)
    }

    @Test func `a tempo keeps two decimals`() throws {
        #expect(try PatternFormat.decode(["bpm": 99.996, "tracks": .object([:])]).bpm == 100)
    }

    @Test func `a sustain cell without a head is dropped, one with its head across the end is kept`() throws {
        let headless = try PatternFormat.decode(patternJSON(notes: [.note(6, 60, "sustain")]))
        #expect(headless.cells.isEmpty)
        let wrapped = try PatternFormat.decode(patternJSON(notes: [.note(4, 60, "sustain"), .note(38, 60, "accent")]))
        #expect(wrapped.cells.count == 2)
        var shorter = try #require(patternJSON(notes: [.note(4, 60, "sustain"), .note(38, 60, "accent")]).objectValue)
        shorter["length"] = 16
        #expect(try PatternFormat.decode(.object(shorter)).cells.count == 1)
    }

    @Test func `notes outside the scale are read unchanged`() throws {
        #expect(try PatternFormat.decode(patternJSON(notes: [.note(4, 61)])).cells[.melody, 1, 0] == .normal)
    }

    @Test func `chords, bass and rhythm may have many notes on a step`() throws {
        let notes: JSONValue = [.note(4, 48), .note(4, 52), .note(4, 55, "accent")]
        #expect(try PatternFormat.decode(patternJSON("chords", notes: notes)).cells[.chords, 0].notes == [0, 4, 7])
    }

    @Test func `the demo pattern keeps the rules of every track`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../config/demo.json")
        let bytes = [UInt8](try Data(contentsOf: file))
        let pattern = try PatternFormat.decode(bytes)
        for track in Track.allCases {
            let notes = (0..<32).map { pattern[track, $0].notes }
            #expect(notes.contains { !$0.isEmpty })
            #expect(!track.isPitched || notes.allSatisfy { $0.subtracting(pattern.key.notes).isEmpty })
        }
        #expect(PatternFormat.encode(pattern).prettyBytes == bytes, "the file is not what an export writes")
    }
}
