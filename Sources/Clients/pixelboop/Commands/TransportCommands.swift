import ArgumentParser
import Instrument
import Music
import PixelBoopClient
import Wire

struct Play: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Play from where the transport is.")

    @OptionGroup var daemon: DaemonOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("Start at this step, 0 to 31.", valueName: "step"))
    var from: Int?

    func answer(from client: PixelBoopClient) async throws -> Answer {
        if let from { try await client.locate(step: from) }
        return try await .transport(client.play())
    }
}

struct Stop: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Stop and go back to the start.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer { try await .transport(client.stop()) }
}

struct Pause: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Stop where the transport is.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer { try await .transport(client.pause()) }
}

struct Toggle: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Play if stopped, stop if playing.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer { try await .transport(client.toggle()) }
}

struct Record: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what is played at the port midi_in while the transport plays.")

    @OptionGroup var daemon: DaemonOptions
    @Flag(help: "Stop recording.") var off = false

    func answer(from client: PixelBoopClient) async throws -> Answer { try await .transport(client.record(!off)) }
}

extension Answer {
    fileprivate static func transport(_ transport: TransportStatus) -> Answer {
        Answer(transport, transport.inWords)
    }
}
