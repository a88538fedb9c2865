import ArgumentParser
import Glibc
import Instrument
import Music
import PixelBoopClient
import Synchronization
import SystemSupport
import Wire

struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hear what the daemon plays: as samples on standard output, or in a file.",
        discussion: """
            pixelboop listen | aplay -f S16_LE -c 2 -r 48000    through a sound card
            pixelboop listen take.wav                           into a file, until you press Ctrl-C

            16-bit little-endian samples, left and right alternating; the rate is printed on standard error. \
            Missing blocks become silence, up to a minute at a time, and are reported. The file can be read while it is \
            being written, and holds what was heard even if this program is killed.
            """)

    @OptionGroup var connection: ConnectionOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after this many seconds, with or without sound.", valueName: "n"))
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
        var capture = AudioCapture(path: isStream ? nil : file, seconds: seconds)
        try await connection.withClient { client in
            let audio = try await client.state().state.audio
            try capture.open(rate: audio.rate)
            if audio.status != .running { Output.complain("no sound yet: \(audio.inWords)") }
            let subscription = try await client.subscribe(to: [.audio])
            let interruption = isStream ? nil : try Interruption { subscription.cancel() }
            defer { interruption?.end() }
            let deadline = seconds.map { Deadline(after: $0) { subscription.cancel() } }
            defer { deadline?.cancel() }
            do {
                for try await case .audio(let block) in subscription {
                    if let rate = capture.begins(with: block) { reportFormat(rate: rate) }
                    deadline?.noteBlock()
                    if try capture.append(block, reportingGap: Self.report) { break }
                }
            } catch {
                try capture.finish(after: error)
            }
            try capture.finish()
            try reportEnd(capture)
        }
    }

    private func reportEnd(_ capture: AudioCapture) throws {
        guard !capture.isEmpty else {
            let file = isStream ? "" : ": \(file) is \(capture.leavesOldFile ? "as it was" : "empty")"
            throw Failure(.refused, "nothing was heard\(file)")
        }
        if let seconds, !capture.isFull {
            Output.complain("heard \(capture.heard.inWords) of \(seconds.inWords) s")
        }
        if !isStream { Output.complain("\(file) is written") }
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

/// Runs a closure some time later, if no blocks come then. While they come, the number of samples decides.
private final class Deadline: Sendable {
    /// How long no block came when the closure is run: longer than blocks are queued.
    private static let silence = Duration.seconds(0.5)
    /// How often it is put off: blocks are late by less than that.
    private static let extensions = 4

    private let hasBlock: HasBlock
    private let task: Task<Void, Never>

    init(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
        let hasBlock = HasBlock()
        self.hasBlock = hasBlock
        task = Task {
            do {
                try await Task.sleep(for: max(.seconds(seconds) - Self.silence, .zero))
                hasBlock.flag.store(false, ordering: .relaxed)
                for _ in 0...Self.extensions {
                    try await Task.sleep(for: Self.silence)
                    guard hasBlock.flag.exchange(false, ordering: .relaxed) else { break }
                }
                body()
            } catch {
                // It was cancelled.
            }
        }
    }

    /// Reports that a block came.
    func noteBlock() { hasBlock.flag.store(true, ordering: .relaxed) }

    func cancel() { task.cancel() }

    private final class HasBlock: Sendable {
        let flag = Atomic(false)
    }
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
