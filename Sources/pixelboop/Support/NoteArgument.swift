import ArgumentParser
import Music

/// A note of a track as people write it: its number 0 to 11, a pitch class, or a drum.
struct NoteArgument: ExpressibleByArgument {
    let text: String

    init?(argument: String) { text = argument }

    /// All names, for completions.
    static var names: [String] { PitchClass.allCases.map(\.name) + Drum.allCases.map(\.argument) }

    /// The note's number on a track, nil when the track has no such note.
    func note(on track: Track) -> Int? {
        if let number = Int(text) { return (0..<Track.noteCount).contains(number) ? number : nil }
        if track.isPitched { return PitchClass(argument: text)?.number }
        let name = text.lowercased().replacing(" ", with: "-")
        return Drum.allCases.first { $0.argument == name }?.rawValue
    }
}

extension Drum {
    /// The name on the command line: `closed-hat`.
    var argument: String { title.lowercased().replacing(" ", with: "-") }
}
