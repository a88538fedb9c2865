import ArgumentParser
import Foundation
import TestSupport

/// A rehearsal of a long night: a JACK server that comes and goes, a daemon, tens of clients that never rest, and others
/// that are slow, and a verdict in the end.
@main
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboop-soak", abstract: "Plays on a daemon for a long time, and reports whether it held up.",
        subcommands: [Play.self, Watch.self, Keys.self], defaultSubcommand: Play.self)
}

/// A part of a session, with one driver.
struct Act {
    let verdict: SoakVerdict
    /// What the session contained in the end, and must contain when it continues with another driver.
    let contents: SoakStage.Contents
}

extension Soak {
    /// The rehearsal itself.
    struct Play: AsyncParsableCommand {
        @Argument(help: "How long, in minutes.")
        var minutes: Double

        @Option(help: "The seed of all random choices.")
        var seed: UInt64 = 1

        @Flag(inversion: .prefixedNo, help: "Whether the JACK server is killed and restarted now and then.")
        var restarts = true

        @Option(help: "How often the daemon is killed in the middle of each part.")
        var kills = 2

        @Flag(inversion: .prefixedNo, help: "Whether there are pages in a Chromium, if it is installed.")
        var browser = true

        @Option(help: "Clients that watch and play the grid.")
        var clients = 20

        @Option(help: "Pages: clients that do the same through the gateway.")
        var pages = 4

        @Option(help: "Frames per period of the JACK server.")
        var period = 512

        @Option(help: "How many times the driver changes, from JACK to the internal one and back.")
        var turns = 3

        func validate() throws {
            guard minutes > 0 else { throw ValidationError("MINUTES must be more than 0") }
            guard (0...20).contains(turns) else { throw ValidationError("--turns must be from 0 to 20") }
            guard (1...1000).contains(clients) else { throw ValidationError("--clients must be from 1 to 1000") }
            guard (0...20).contains(kills) else { throw ValidationError("--kills must be from 0 to 20") }
            guard (0...60).contains(pages) else { throw ValidationError("--pages must be from 0 to 60") }
        }

        func run() async throws {
            // A peer may go while it is written to.
            signal(SIGPIPE, SIG_IGN)
            let home = try TemporaryDirectory()
            var (parts, contents) = ([SoakVerdict](), SoakStage.Contents?.none)
            let duration = Duration.seconds(minutes * 60) / (turns + 1)
            for turn in 0...turns {
                let act =
                    if turn.isMultiple(of: 2) {
                        try await Rehearsal.play(
                            Rehearsal.Settings(
                                duration: duration, restartsJack: restarts, kills: kills, hasBrowser: browser,
                                clientCount: clients, pageCount: pages, period: period,
                                seed: seed &+ UInt64(turn)),
                            at: home, goingOnWith: contents)
                    } else {
                        try await AloneSession.play(
                            for: duration, kills: kills, seed: seed &+ UInt64(turn), at: home, goingOnWith: contents)
                    }
                say("part \(turn + 1) of \(turns + 1): \(Self.words(act.verdict))")
                parts.append(act.verdict)
                contents = act.contents
            }
            let verdict = SoakVerdict(of: parts)
            for line in verdict.lines { say(line) }
            say("the whole: \(Self.words(verdict))")
            guard !verdict.isBad else { throw ExitCode.failure }
            guard verdict.isGood else { throw ExitCode(2) }
        }

        private static func words(_ verdict: SoakVerdict) -> String {
            verdict.isBad ? "BAD" : verdict.isOpen ? "nothing bad, but not everything was judged" : "good"
        }
    }

    /// A JACK client that does nothing but look at the clock: what is late there is late for everyone.
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(shouldDisplay: false)

        @Argument var server: String

        func run() throws {
            try WakeWatch.run(on: server)
        }
    }

    /// A JACK client that plays the daemon's MIDI input.
    struct Keys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(shouldDisplay: false)

        @Argument var server: String
        @Argument var seed: UInt64

        func run() async throws {
            try await Keyboard.run(on: server, seed: seed)
        }
    }
}
