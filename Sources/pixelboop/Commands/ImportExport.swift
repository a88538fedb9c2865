import ArgumentParser
import Foundation
import JSON
import PatternFormat
import PixelBoopClient
import Wire

extension PatternFormat.Columns: ExpressibleByArgument {}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the pattern by a file; one undo brings the old one back.")

    @OptionGroup var connection: ConnectionOptions
    @Option(help: "What the file's `col` counts: columns of the grid, or steps from 0 (the first web version).")
    var columns = PatternFormat.Columns.grid
    @Argument(help: "A pattern as JSON; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    func run() async throws {
        let pattern = try PatternFile.read(file, columns: columns)
        try await connection.withClient { try await $0.setPattern(pattern) }
    }
}

struct ExportPattern: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the pattern as JSON, MIDI or sound.",
        discussion: "Without --midi and --wav: JSON, to a file or to standard output. --wav is rendered by the daemon.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("Write a MIDI file.", valueName: "file"), completion: .file(extensions: ["mid"]))
    var midi: String?
    @Option(help: ArgumentHelp("Write a sound file.", valueName: "file"), completion: .file(extensions: ["wav"]))
    var wav: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How often the pattern is played, 1 to 1000, in MIDI and sound files.", valueName: "n"))
    var loops = 1
    @Option(
        help: ArgumentHelp("Frames per second of the sound file, 8000 to 192000; JACK's unless given.", valueName: "Hz")
    )
    var rate: Int?
    @Argument(help: "A file for JSON.", completion: .file(extensions: ["json"]))
    var file: String?

    func run() async throws {
        try await connection.withClient { client in
            if let midi { try await exportMIDI(client, to: midi) }
            if let wav { try await exportWAV(client, to: wav) }
            if file != nil || (midi == nil && wav == nil) { try await exportJSON(client) }
        }
    }

    private func exportJSON(_ client: PixelBoopClient) async throws {
        let bytes = try await client.patternJSON().prettyBytes
        if let file {
            try InputFile.write(bytes, to: file)
        } else {
            try Output.write(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The file comes through the socket, so that it is written here also when the daemon is elsewhere.
    private func exportMIDI(_ client: PixelBoopClient, to path: String) async throws {
        let reply = try await client.exportMIDI(loops: loops)
        guard let data = reply.data.flatMap({ Data(base64Encoded: $0) }) else {
            throw ClientError.protocolViolation("export.midi answered without a file")
        }
        try InputFile.write(Array(data), to: path)
    }

    private func exportWAV(_ client: PixelBoopClient, to path: String) async throws {
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        let reply = try await client.exportWAV(to: absolute, loops: loops, rate: rate)
        try output.print(reply, "\(reply.path ?? absolute): \(reply.frames) frames")
    }
}
