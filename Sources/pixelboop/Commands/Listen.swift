import ArgumentParser
import Glibc
import Music
import PixelBoopClient
import SystemSupport
import Wire

struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hear what the daemon plays: as samples on standard output, or in a file.",
        discussion: """
            pixelboop listen | aplay -f S16_LE -c 2 -r 48000    through a sound card
            pixelboop listen take.wav                           into a file, until you press Ctrl-C

            16-bit little-endian samples, left and right alternating; the rate is printed on standard error. \
            Missing blocks become silence, up to a minute at a time, and are reported.
            """)

    @OptionGroup var connection: ConnectionOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("End after this many seconds.", valueName: "n"))
    var seconds: Double?
    @Argument(
        help: "The sound file; - for samples on standard output.", completion: .file(extensions: ["wav", "flac"]))
    var file = "-"

    private var isStream: Bool { OutputFile.isStandardOutput(file) }

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 1e6) {
            throw ValidationError("--seconds: expected a number greater than 0, up to 1000000, got \(seconds)")
        }
    }

    func run() async throws {
        if isStream, Output.isTerminal {
            throw Failure(
                .usage,
                "standard output is a terminal: name a file, or pipe it into a player, such as "
                    + "`pixelboop listen | \(Self.player(rate: 48_000))`")
        }
        if !isStream { try AudioCapture.check(file) }
        try await connection.withClient { client in
            let audio = try await client.state().state.audio
            if audio.status != .running { Output.complain("no sound yet: \(audio.inWords)") }
            let subscription = try await client.subscribe(to: [.audio])
            let interruption = isStream ? nil : try Interruption { subscription.cancel() }
            defer { interruption?.end() }
            var capture = AudioCapture(path: isStream ? nil : file, seconds: seconds)
            do {
                for try await case .audio(let block) in subscription {
                    if let rate = capture.begins(with: block) { reportFormat(rate: rate) }
                    if try capture.append(block, reportingGap: Self.report) { break }
                }
            } catch {
                try capture.finish(after: error)
            }
            try capture.finish()
            guard !isStream else { return }
            guard !capture.isEmpty else { throw Failure(.refused, "nothing was heard: \(file) is not written") }
            Output.complain("\(file) is written")
        }
    }

    private func reportFormat(rate: Int) {
        let format = "\(rate) Hz, 2 channels, 16-bit little-endian"
        Output.complain(isStream ? "\(format): \(Self.player(rate: rate))" : "\(file): \(format)")
    }

    private static func report(gap: AudioCapture.Gap) {
        let length = "\(Int((gap.seconds * 1000).rounded())) ms"
        Output.complain("\(length) missing" + (gap.isFilled ? ", filled with silence" : ", left out"))
    }

    private static func player(rate: Int) -> String { "aplay -f S16_LE -c 2 -r \(rate)" }
}

/// Runs a closure when the program is interrupted, instead of ending it.
private final class Interruption: Sendable {
    init(_ body: @escaping @Sendable () -> Void) throws {
        // A closed terminal interrupts it, unless it was started to outlive that.
        let signals = try SignalPipe.listen(for: [SIGINT, SIGTERM] + (HangUp.isIgnored ? [] : [SIGHUP]))
        try OrdinaryThread.start(name: "interruption") {
            var entry = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, -1) < 0, errno == EINTR {}
            body()
        }
    }

    func end() { SignalPipe.wake(with: 0) }
}
