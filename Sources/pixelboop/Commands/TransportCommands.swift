import ArgumentParser
import PixelBoopClient
import Wire

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play from where the transport is.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("Start at this step, 0 to 31.", valueName: "step"))
    var from: Int?

    func run() async throws {
        try await connection.withClient { client in
            if let from { try await client.locate(step: from) }
            try output.print(transport: await client.play())
        }
    }
}

struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stop and go back to the start.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await connection.withClient { try output.print(transport: await $0.stop()) }
    }
}

struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stop where the transport is.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await connection.withClient { try output.print(transport: await $0.pause()) }
    }
}

struct Toggle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play if stopped, stop if playing.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await connection.withClient { try output.print(transport: await $0.toggle()) }
    }
}

extension OutputOptions {
    fileprivate func print(transport: TransportState) throws {
        try print(transport, transport.inWords)
    }
}
