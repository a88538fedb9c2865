import Music
import TestSupport

extension Pattern {
    /// A pattern with everything that a performer can make: melody with one note a step, hidden steps, sustained notes
    /// across the end, and no sustain cell without a head.
    static func random(using random: inout SeededGenerator) -> Pattern {
        var pattern = Pattern()
        pattern.name = ["", "demo", "Übung 3 \"b\"\\", "😀"].randomElement(using: &random)!
        pattern.length = .random(in: 8...32, using: &random)
        pattern.bpm = Double(Int.random(in: 2000...30_000, using: &random)) / 100
        pattern.swing = Double(Int.random(in: 5000...7500, using: &random)) / 10_000
        pattern.key = Key(
            root: PitchClass(.random(in: 0..<12, using: &random)), scale: Scale.allCases.randomElement(using: &random)!)
        pattern.created = Bool.random(using: &random) ? .random(in: 0..<4_000_000_000, using: &random) : nil
        pattern.modified =
            Bool.random(using: &random) ? .random(in: -62_167_219_200..<253_402_300_800, using: &random) : nil
        let density = Double.random(in: 0...1, using: &random)
        for track in Track.allCases {
            for step in 0..<SlotNotes.stepCount where Double.random(in: 0...1, using: &random) < density {
                let count = track == .melody ? 1 : Int.random(in: 1...12, using: &random)
                for _ in 0..<count {
                    var note = Note.random(using: &random)
                    while note.velocity == .off { note = .random(using: &random) }
                    pattern[track, step][whole: .random(in: 0..<Track.noteCount, using: &random)] = note
                }
            }
        }
        for track in Track.allCases { pattern[track] = pattern.sounding(track) }
        for slot in Slot.all where Int.random(in: 0..<6, using: &random) == 0 {
            pattern[slot].motions = .random(using: &random)
        }
        return pattern
    }
}
