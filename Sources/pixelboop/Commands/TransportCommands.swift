import ArgumentParser
import Music
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

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write what is played at the port midi_in while the transport plays.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Write nothing any more.") var off = false

    func run() async throws {
        try await connection.withClient { try output.print(transport: await $0.record(!off)) }
    }
}

extension OutputOptions {
    fileprivate func print(transport: TransportStatus) throws {
        try print(transport, transport.inWords)
    }
}
