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

struct Catch: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write keys that were played, but not recorded.",
        discussion: """
            While the music plays, those of the last whole pass, on all tracks; else those since the last pause of 2 s, the \
            first on step 0.
            """)

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let notes = try await client.catchKeys()
        let words = notes == 0 ? "nothing to catch" : notes == 1 ? "1 note" : "\(notes) notes"
        return Answer(["notes": .integer(notes)], words)
    }
}

extension Answer {
    fileprivate static func transport(_ transport: TransportStatus) -> Answer {
        Answer(transport, transport.inWords)
    }
}
