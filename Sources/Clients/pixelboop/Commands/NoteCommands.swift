import ArgumentParser
import Music
import PixelBoopClient
import Wire

struct SetNote: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Set one cell of the pattern.",
        discussion: "Drums: \(Drum.allCases.map(\.argument).joined(separator: ", ")).")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The step, 0 to 31.")
    var step: Int
    @Argument(
        help: "The note: 0 to 11, a name (C#, Db), or a drum (closed-hat).", completion: .list(NoteArgument.names))
    var note: NoteArgument
    // Without a default value, which the parser would show as a raw value.
    @Argument(help: "How it sounds; normal unless given.")
    var velocity: Velocity?
    @OptionGroup var values: NoteValueOptions

    func validate() throws {
        guard note.note(on: track) != nil else {
            let names = track.isPitched ? PitchClass.allCases.map(\.name) : Drum.allCases.map(\.argument)
            throw ValidationError(
                "\(track.name) has no note '\(note.text)': expected 0 to 11, or one of \(names.joined(separator: ", "))"
            )
        }
    }

    func perform(_ client: PixelBoopClient) async throws {
        guard let note = note.note(on: track) else { return }
        try await client.setNote(track, step: step, note: note, velocity ?? .normal, values: values.values)
    }
}

struct Undo: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Undo the last step.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer { try await .history(client.undo(), "Undid") }
}

struct Redo: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Redo the step that was undone last.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer { try await .history(client.redo(), "Redid") }
}

struct Clear: SilentCommand {
    static let configuration = CommandConfiguration(abstract: "Clear all tracks; one undo brings them back.")

    @OptionGroup var daemon: DaemonOptions

    func perform(_ client: PixelBoopClient) async throws { try await client.clearPattern() }
}

extension Answer {
    fileprivate static func history(_ history: HistoryReply, _ verb: String) -> Answer {
        let left = "\(history.undo) to undo, \(history.redo) to redo"
        return Answer(history, history.what.map { "\(verb) \($0); \(left)" } ?? left)
    }
}

/// A note of a track as people write it: its number 0 to 11, a pitch class, or a drum.
struct NoteArgument: ExpressibleByArgument {
    let text: String

    init?(argument: String) { text = argument }

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
