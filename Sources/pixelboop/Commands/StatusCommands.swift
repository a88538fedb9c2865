import ArgumentParser
import PixelBoopClient
import Wire

struct ShowStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show transport, settings, tracks and audio.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await connection.withClient { client in
            let state = try await client.state()
            try output.print(state.json, state.state.inWords)
        }
    }
}

struct ShowStatistics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how the daemon fares: xruns, load, clients, memory.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await connection.withClient { client in
            let statistics = try await client.statistics()
            try output.print(statistics, statistics.inWords)
        }
    }
}
