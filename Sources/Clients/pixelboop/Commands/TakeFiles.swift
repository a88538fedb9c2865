import ArgumentParser
import Files
import FoundationEssentials
import Glibc
import Instrument
import PixelBoopClient
import Wire

// Takes as files: commands that wait for the daemon's renders.

extension TakeCommand {
    struct RenderTake: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "render", abstract: "Render a take to a sound file, exactly as it sounded.",
            discussion: """
                The daemon writes the file. Ctrl-C cancels. The take that is being recorded is rendered up to now.
                At another rate, the sound is as good but not the same to the bit. --from replays from the beginning, too.
                """)

        @OptionGroup var daemon: DaemonOptions
        @Flag(
            help: """
                Write the parts of the mix beside it, too: out.melody.wav, .chords, .bass, .rhythm, .reverb and .delay; all in \
                32-bit floats.
                """)
        var stems = false
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Frames per second, 8000 to 192000; the take's own unless given.", valueName: "Hz"))
        var rate: Int?
        @Option(help: ArgumentHelp("Where to begin: 0:30, or seconds.", valueName: "time"))
        var from: TakeTime?
        @Option(help: ArgumentHelp("Where to end: 4:10, or seconds.", valueName: "time"))
        var to: TakeTime?
        @Option(help: "32-bit floats, 24 bits, or FLAC; floats unless the name ends in .flac.")
        var format: RenderFormat?
        @Argument(help: "The take's number.", completion: TakeCompletion.numbers)
        var take: Int
        @Argument(help: "The sound file.", completion: .file(extensions: ["wav", "flac"]))
        var file: String

        private var isFLAC: Bool { file.lowercased().hasSuffix(".flac") }

        func validate() throws {
            try rate.map(AudioLimits.checkRate)
            if stems { try AudioLimits.checkStems(file) }
            if let format, (format == .flac) != isFLAC {
                throw ValidationError("--format \(format.rawValue) does not fit the name of \(file)")
            }
            if let from, let to, from.seconds >= to.seconds {
                throw ValidationError("--to: expected a time after --from")
            }
            if OutputFile.isStandardOutput(file) {
                throw ValidationError("'pixelboop take play' writes to standard output")
            }
        }

        func run() async throws {
            try await daemon.connection.withClient { client in
                let path = URL(fileURLWithPath: file).standardizedFileURL.path
                let sound = try await client.showingProgress(label: file) {
                    try await client.renderTake(
                        take, to: path, format: format ?? (isFLAC ? .flac : nil), stems: stems, rate: rate,
                        from: from?.seconds, until: to?.seconds)
                }
                try daemon.output.print(
                    RenderReply(path: path, sound),
                    "\(path)\(stems ? " and its stems" : ""): \(TakeTime(seconds: sound.seconds))")
                sound.complain()
            }
        }
    }

    struct ExportTake: SilentCommand {
        static let configuration = CommandConfiguration(
            commandName: "midi", abstract: "Write a take's notes, as they sounded, to a MIDI file with its tempo.")

        @OptionGroup var daemon: DaemonOptions
        @Argument(help: "The take's number.", completion: TakeCompletion.numbers)
        var take: Int
        @Argument(help: "The MIDI file; - for standard output.", completion: .file(extensions: ["mid", "midi"]))
        var file: String

        /// The file is transferred through the socket, so that it is written here even if the daemon runs elsewhere; the daemon
        /// writes one that is too long for that.
        func perform(_ client: PixelBoopClient) async throws {
            let reply: ExportReply
            do {
                reply = try await client.takeMIDI(take)
            } catch ClientError.refused(let refusal)
                where refusal.code == .storage && !OutputFile.isStandardOutput(file)
            {
                _ = try await client.takeMIDI(take, to: URL(fileURLWithPath: file).standardizedFileURL.path)
                return
            }
            guard let data = reply.data.flatMap({ Data(base64Encoded: $0) }) else {
                throw ClientError.protocolViolation("take.midi answered without a file")
            }
            try OutputFile.write(Array(data), to: file, as: .midi)
        }
    }

    struct PlayTake: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play", abstract: "Write a take as WAV to standard output, for a player.",
            discussion: """
                pixelboop take play 12 | aplay

                The daemon renders it, in 24 bits, and goes on playing what it plays: this does not touch the instrument.
                """)

        @OptionGroup var connection: ConnectionOptions
        @Option(help: ArgumentHelp("Where to begin: 0:30, or seconds.", valueName: "time"))
        var from: TakeTime?
        @Option(help: ArgumentHelp("Where to end: 4:10, or seconds.", valueName: "time"))
        var to: TakeTime?
        @Argument(help: "The take's number.", completion: TakeCompletion.numbers)
        var take: Int

        func run() async throws {
            if Output.isTerminal {
                throw Failure(
                    .usage,
                    """
                    standard output is a terminal: pipe it into a player, such as `pixelboop take play \(take) | aplay`
                    """)
            }
            try Output.check()
            try await connection.withClient { client in
                let call = RenderCall(take: take, format: .pcm24, from: from?.seconds, to: to?.seconds)
                let (render, sound) = try await client.render(call, label: "take \(take)")
                sound.complain()
                var offset = 0
                while true {
                    let part = try await client.renderedData(render, from: offset)
                    try Output.write(part.bytes, to: STDOUT_FILENO)
                    offset += part.bytes.count
                    if part.isEnd || part.bytes.isEmpty { return }
                }
            }
        }
    }
}

/// A time in a take on the command line: `4:10`, `1:04:10`, or seconds.
struct TakeTime: ExpressibleByArgument, CustomStringConvertible {
    let seconds: Double

    init(seconds: Double) { self.seconds = seconds }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var sum = 0.0
        for (index, part) in parts.enumerated() {
            // Only seconds may have a fraction, and only the first part 60 or more.
            let isLast = index == parts.count - 1
            guard part.allSatisfy({ $0.isASCII && $0.isNumber || isLast && $0 == "." }), let value = Double(part),
                index == 0 || value < 60
            else { return nil }
            sum = 60 * sum + value
        }
        seconds = sum
    }

    /// `0:07`, `4:10`, `1:04:10`: to the second.
    var description: String {
        let whole = Int(min(max(seconds.rounded(), 0), 1e9))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let rest = "\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
        return hours == 0 ? "\(minutes):\(rest)" : "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(rest)"
    }
}

extension RenderFormat: ExpressibleByArgument {}

extension RenderedSound {
    /// Says on standard error how it may differ from what was heard.
    fileprivate func complain() {
        if let warning { Output.complain(warning) }
        if !drums.isEmpty { Output.complain("samples are missing or have changed: \(drums.joined(separator: ", "))") }
    }
}

extension PixelBoopClient {
    /// Does something that renders, with a progress bar.
    fileprivate func showingProgress<Result: Sendable>(
        label: String, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let events = try await subscribe(to: [.take])
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                var bar = ProgressBar(label: label)
                defer { bar.finish() }
                for try await case .take(.progress(_, let share)) in events { bar.show(share) }
                return nil
            }
            group.addTask { try await body() }
            defer { events.cancel() }
            while let result = try await group.next() {
                if let result {
                    events.cancel()
                    // The bar's line has ended before anything else is written.
                    _ = try await group.next()
                    return result
                }
            }
            throw ClientError.connectionLost(reason: "the render was not answered")
        }
    }

    /// Renders in the background, with a progress bar, and returns the render's id and what it is.
    fileprivate func render(_ call: RenderCall, label: String) async throws -> (Int, RenderedSound) {
        let events = try await subscribe(to: [.take])
        defer { events.cancel() }
        let render = try await beginRender(call)
        var bar = ProgressBar(label: label)
        defer { bar.finish() }
        for try await case .take(let event) in events {
            switch event {
            case .progress(render, let share): bar.show(share)
            case .done(render, let sound, _): return (render, sound)
            case .failed(render, let reason): throw Failure(.refused, reason)
            default: continue
            }
        }
        throw ClientError.connectionLost(reason: "the render did not end")
    }
}
