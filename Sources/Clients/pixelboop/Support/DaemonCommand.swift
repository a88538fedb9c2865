import ArgumentParser
import JSON
import PixelBoopClient

/// A command that calls the daemon and prints the answer.
protocol DaemonCommand: AsyncParsableCommand {
    var daemon: DaemonOptions { get }

    /// Does the command's work, and returns what to print.
    func answer(from client: PixelBoopClient) async throws -> Answer
}

/// A command that prints nothing on success.
protocol SilentCommand: DaemonCommand {
    func perform(_ client: PixelBoopClient) async throws
}

/// The options of every command that calls the daemon and prints: where it is, and the format.
struct DaemonOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
}

/// The output of a command, as JSON and in words.
struct Answer {
    /// An empty JSON object, and no words.
    static let done = Answer([:], "")

    let json: JSONValue
    let words: String

    init(_ json: JSONValue, _ words: String) {
        (self.json, self.words) = (json, words)
    }

    init(_ message: some WireMessage, _ words: String) {
        self.init(.object(message.json), words)
    }
}

extension DaemonCommand {
    func run() async throws {
        try await daemon.connection.withClient { client in
            let answer = try await answer(from: client)
            try daemon.output.print(answer.json, answer.words)
        }
    }
}

extension SilentCommand {
    func answer(from client: PixelBoopClient) async throws -> Answer {
        try await perform(client)
        return .done
    }
}
