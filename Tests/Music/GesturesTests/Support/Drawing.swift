import Music
import TestSupport
import Testing

// Notes drawn as text, one note a line, its steps from 0 on: . off, o normal, X accent, ~ sustain.
//
//     E4   ..o.....
//     C4   X~~.....
//
// Notes that are off everywhere are left out; so are steps at the end that are off on every note.

private let signs: [Velocity: Character] = [.off: ".", .normal: "o", .accent: "X", .sustain: "~"]

private let drums = [
    "KICK", "KICK2", "LOW TOM", "SNARE", "SNARE2", "RIMSHOT", "CLAP", "CLOSED HAT", "OPEN HAT", "CRASH", "RIDE",
    "COWBELL",
]

private let pitchNames = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

func noteName(_ track: Track, _ note: Int) -> String {
    switch track {
    case .melody: pitchNames[note] + "4"
    case .chords: pitchNames[note] + "3"
    case .bass: pitchNames[note] + "2"
    case .rhythm: drums[note]
    }
}

extension Cells {
    /// Writes drawn notes to a track.
    mutating func draw(_ drawing: String, on track: Track) {
        for line in drawing.split(separator: "\n") {
            let (name, row) = parse(line)
            let note = (0..<12).first { noteName(track, $0) == name }
            precondition(note != nil, "no note \(name) on \(track.name)")
            for (step, sign) in row.enumerated() {
                guard let velocity = signs.first(where: { $0.value == sign })?.key else {
                    preconditionFailure("what is \(sign)?")
                }
                self[track, note!, step] = velocity
            }
        }
    }

    /// The notes of a track as text, the highest first.
    func drawing(of track: Track) -> [String] {
        (0..<12).reversed().compactMap { note in
            let row = String((0..<SlotNotes.stepCount).map { signs[self[track, note, $0]]! })
            return trimmed(row).isEmpty ? nil : noteName(track, note) + " " + trimmed(row)
        }
    }
}

/// Checks that a track holds exactly the drawn notes.
func expect(
    _ track: Track, _ drawing: String, in rig: Rig, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let drawn = drawing.split(separator: "\n").map { line in
        let (name, row) = parse(line)
        return name + " " + trimmed(row)
    }
    #expect(rig.cells.drawing(of: track) == drawn, comment, sourceLocation: sourceLocation)
}

private func parse(_ line: Substring) -> (name: String, row: String) {
    let words = line.split(separator: " ").map(String.init)
    return (words.dropLast().joined(separator: " "), words.last!)
}

private func trimmed(_ row: String) -> String {
    String(row.reversed().drop { $0 == "." }.reversed())
}
