import ArgumentParser
import Instrument
import Music
import PixelBoopClient

struct HoldPunchIn: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "punch", abstract: "Hold an effect, as a finger on the overview does.",
        discussion: """
            pixelboop punch stutter 0.55 --seconds 1   repeat the last sixteenth for a second
            pixelboop punch filter 0.2 bass rhythm     until you press Ctrl-C, or the music stops

            The amount is the place in the effect's zone, from 0 on its left edge to 1 on its right edge. stutter and \
            brake need music that plays.
            """)

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The effect.")
    var effect: PunchEffect
    @Argument(help: "0 to 1.")
    var amount: Double
    @Argument(help: "The tracks on which it acts; by default all.")
    var tracks: [Track] = []
    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "n"))
    var seconds: Double?

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 1e6) {
            throw ValidationError("--seconds: expected a number greater than 0, up to 1000000, got \(seconds)")
        }
    }

    func perform(_ client: PixelBoopClient) async throws {
        let events = try await client.subscribe(to: [.punch])
        let tracks = tracks.isEmpty ? Track.allCases : tracks
        guard try await client.punchIn(effect, amount: amount, on: tracks) else {
            throw Failure(.refused, "\(effect.name) needs music that plays")
        }
        let end = seconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                events.cancel()
            }
        }
        defer { end?.cancel() }
        for try await case .punch(let event) in events where event.effect == effect && !event.isHeld { return }
        try await client.endPunchIn(effect)
    }
}
