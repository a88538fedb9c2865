import ArgumentParser
import Export
import Files
import FoundationEssentials
import Glibc
import Instrument
import Music
import PatternFormat
import PixelBoopClient
import Wire

extension PatternFormat.Columns: ExpressibleByArgument {}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the pattern with a file; one undo brings the old one back.")

    @OptionGroup var daemon: DaemonOptions
    @Option(help: "What the file's `col` counts: columns of the grid, or steps from 0 (the first web version).")
    var columns = PatternFormat.Columns.grid
    @Argument(help: "A pattern as JSON; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    func run() async throws {
        let pattern = try PatternFile.read(file, columns: columns)
        try await daemon.connection.withClient { try await $0.setPattern(pattern) }
        try daemon.output.printDone()
    }
}

struct ExportPattern: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the pattern as JSON, MIDI or sound.",
        discussion: """
            Without --midi and --wav: JSON, to a file or to standard output. --wav is rendered by the daemon, except to \
            standard output (-).
            """)

    @OptionGroup var daemon: DaemonOptions
    @Option(
        help: ArgumentHelp("Write a MIDI file; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["mid"]))
    var midi: String?
    @Option(
        help: ArgumentHelp("Write a sound file; - for a WAV on standard output.", valueName: "file"),
        completion: .file(extensions: ["wav"]))
    var wav: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many times to play the pattern, 1 to 1000, in MIDI and sound files.", valueName: "n"))
    var loops: Int?
    @Option(
        help: ArgumentHelp(
            "Play these scenes, 1 to 8, a loop each, in MIDI and sound files: 1,1,2.", valueName: "scenes"))
    var scenes: SceneList?
    @Flag(help: "Play every track's chain once, in MIDI and sound files that the daemon makes.")
    var chain = false
    @Flag(
        help: """
            Write the parts of the mix beside the sound file, too: out.melody.wav, .chords, .bass, .rhythm, .reverb and \
            .delay; all in 32-bit floats.
            """)
    var stems = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per second of the sound file, 8000 to 192000; JACK's unless given.", valueName: "Hz")
    )
    var rate: Int?
    @Argument(help: "A file for JSON.", completion: .file(extensions: ["json"]))
    var file: String?

    func validate() throws {
        guard loops == nil || midi != nil || wav != nil else {
            throw ValidationError("--loops is for MIDI and sound files: it needs --midi or --wav")
        }
        guard scenes == nil || midi != nil || wav != nil else {
            throw ValidationError("--scenes is for MIDI and sound files: it needs --midi or --wav")
        }
        guard !chain || scenes == nil else { throw ValidationError("--scenes and --chain exclude each other") }
        guard !chain || midi != nil || wav.map({ !OutputFile.isStandardOutput($0) }) == true else {
            throw ValidationError("--chain needs --midi, or --wav with a file")
        }
        guard rate == nil || wav != nil else { throw ValidationError("--rate is for sound files: it needs --wav") }
        if stems {
            guard let wav else { throw ValidationError("--stems is for sound files: it needs --wav") }
            try AudioLimits.checkStems(wav)
        }
        try rate.map(AudioLimits.checkRate)
        try (scenes ?? SceneList()).checkLoops(loops ?? 1)
        guard [midi, wav, file].compactMap(\.self).count(where: OutputFile.isStandardOutput) <= 1 else {
            throw ValidationError("only one file can go to standard output")
        }
    }

    func run() async throws {
        try await daemon.connection.withClient { client in
            if let midi { try await exportMIDI(client, to: midi) }
            if let wav { try await exportWAV(client, to: wav) }
            if file != nil || (midi == nil && wav == nil) { try await exportJSON(client) }
        }
        if isSilent { try daemon.output.printDone() }
    }

    /// Whether nothing is written to standard output.
    private var isSilent: Bool {
        let files = [midi, file].compactMap(\.self)
        return wav == nil && !files.isEmpty && !files.contains(where: OutputFile.isStandardOutput)
    }

    private func exportJSON(_ client: PixelBoopClient) async throws {
        let bytes = PatternFormat.fileBytes(of: try await client.patternJSON())
        if let file {
            try OutputFile.write(bytes, to: file, as: .pattern)
        } else {
            try Output.write(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The file is transferred through the socket, so that it is written here even if the daemon runs elsewhere.
    private func exportMIDI(_ client: PixelBoopClient, to path: String) async throws {
        let reply = try await client.exportMIDI(loops: loops ?? 1, scenes: scenes?.numbers ?? [], chain: chain)
        guard let data = reply.data.flatMap({ Data(base64Encoded: $0) }) else {
            throw ClientError.protocolViolation("export.midi answered without a file")
        }
        try OutputFile.write(Array(data), to: path, as: .midi)
    }

    private func exportWAV(_ client: PixelBoopClient, to path: String) async throws {
        if OutputFile.isStandardOutput(path) { return try await streamWAV(client, to: path) }
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        let reply = try await client.exportWAV(
            to: absolute, loops: loops ?? 1, rate: rate, scenes: scenes?.numbers ?? [], chain: chain,
            stems: stems)
        let files = "\(reply.path ?? absolute)\(stems ? " and its stems" : "")"
        try daemon.output.print(reply, "\(files): \(reply.frames ?? 0) frames")
    }

    /// The daemon cannot write to this program's standard output, so this program renders.
    private func streamWAV(_ client: PixelBoopClient, to path: String) async throws {
        let pattern = try await client.pattern()
        let state = try await client.state().state
        var document = Document(pattern: pattern)
        document.apply(state.settings)
        var options = RecordingOptions()
        options.loops = loops ?? 1
        options.turns = scenes?.turns ?? []
        options.sampleRate = rate ?? state.audio.rate ?? options.sampleRate
        try SoundFile.write(document, options, to: path)
    }
}

extension Document {
    /// Applies the daemon's mixer and other settings of the instrument that are not part of the pattern.
    fileprivate mutating func apply(_ settings: ParameterValues) {
        for parameter in Parameter.ofWhole where !parameter.isOfPattern { set(parameter, to: settings[parameter, nil]) }
        for track in Track.allCases {
            for parameter in Parameter.of(track) where !parameter.isOfPattern {
                set(parameter, on: track, to: settings[parameter, track])
            }
        }
    }
}
