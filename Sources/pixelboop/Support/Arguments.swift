import ArgumentParser
import Music
import Wire

extension Track: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument.lowercased()) }
    public static var allValueStrings: [String] { allCases.map(\.name) }
    public var defaultValueDescription: String { name }
}

extension Scale: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument.lowercased()) }
    public static var allValueStrings: [String] { allCases.map(\.name) }
    public var defaultValueDescription: String { name }
}

extension PitchClass: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument.uppercased()) }
    public static var allValueStrings: [String] { allCases.map(\.name) }
    public var defaultValueDescription: String { name }
}

extension Velocity: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument.lowercased()) }
    public static var allValueStrings: [String] { allCases.map(\.name) }
    public var defaultValueDescription: String { name }
}

extension Topic: ExpressibleByArgument {}

/// On or off.
enum Switch: String, CaseIterable, ExpressibleByArgument {
    case on
    case off

    var isOn: Bool { self == .on }
}

/// A note of a track as people write it: its number 0 to 11, a pitch class, or a drum.
struct NoteArgument: ExpressibleByArgument {
    let text: String

    init?(argument: String) { text = argument }

    /// The note's number on a track, nil when the track has no such note.
    func note(on track: Track) -> Int? {
        if let number = Int(text) { return (0..<Track.noteCount).contains(number) ? number : nil }
        if track.isPitched { return PitchClass(name: text.uppercased())?.number }
        let title = text.uppercased().replacing("-", with: " ")
        return Drum.allCases.first { $0.title == title }?.rawValue
    }
}

/// A drum's name on the command line: `closed-hat`.
extension Drum {
    var argument: String { title.lowercased().replacing(" ", with: "-") }
}
