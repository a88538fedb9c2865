import ArgumentParser
import JSON
import PixelBoopClient

struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call any method of the daemon and print its result as JSON.",
        discussion: "Example: pixelboop call tempo.set '{\"bpm\": 127.3}'. All methods: pixelboop call rpc.discover.")

    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "Indent the result.")
    var pretty = false
    @Argument(help: "The method's name.")
    var method: String
    @Argument(help: ArgumentHelp("The parameters: a JSON object, or - for one from standard input.", valueName: "json"))
    var parameters: String?

    func run() async throws {
        let parameters = try object()
        try await connection.withClient { client in
            let result = try await client.call(method, parameters)
            if pretty {
                try Output.write(String(decoding: result.prettyBytes, as: UTF8.self))
            } else {
                try Output.line(result)
            }
        }
    }

    private func object() throws -> JSONObject {
        guard let parameters else { return [:] }
        let bytes = parameters == InputFile.standardInput ? try InputFile.read(parameters) : Array(parameters.utf8)
        do {
            guard let object = try JSONValue(parsing: bytes).objectValue else {
                throw Failure(.usage, "the parameters must be a JSON object, as in '{\"bpm\": 120}'")
            }
            return object
        } catch let error as JSONError {
            throw Failure(.usage, "the parameters are not JSON: \(error)")
        }
    }
}
