import ArgumentParser
import Instrument
import PixelBoopClient
import Wire

struct ShowStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show transport, scene, slots, sounds, sync and audio.",
        discussion: """
            Exit codes: 0 if there is sound, 1 if the daemon has no audio, 3 without a daemon. \
            `pixelboop doctor` shows how to fix it.
            """)

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        try await daemon.connection.withClient { client in
            let state = try await client.state()
            try daemon.output.print(state.json, "\(state.state.inWords)\ndaemon   \(daemon.connection.place)")
            guard state.state.audio.status == .running else { throw Failure(.refused, "") }
        }
    }
}

struct ShowStatistics: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show the daemon's statistics: xruns, load, clients, memory.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let statistics = try await client.statistics()
        return Answer(statistics, statistics.inWords)
    }
}
