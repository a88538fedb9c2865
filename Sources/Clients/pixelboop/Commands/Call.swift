import ArgumentParser
import JSON
import PixelBoopClient
import Wire

struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call any method of the daemon and print its result as JSON; without a method, list them.",
        discussion: """
            pixelboop call tempo.set bpm=127.3    each parameter as name=value
            pixelboop call note.set '{"track": "bass", "step": 0, "note": 7, "velocity": "accent"}'
            pixelboop call note.set --describe    what the method does and takes
            """)

    @OptionGroup var daemon: DaemonOptions
    @Flag(help: "Indent the result.")
    var pretty = false
    @Flag(help: "Describe the method and its parameters with an example instead of calling it.")
    var describe = false
    @Argument(help: "The method's name.", completion: .list(Methods.all.map(\.name)))
    var method: String?
    @Argument(
        help: ArgumentHelp(
            "The parameters, each as name=value; or a JSON object, or - for one from standard input.",
            valueName: "parameters"))
    var parameters: [String] = []

    func run() async throws {
        guard let method else { return try daemon.output.print(MethodHelp.json, MethodHelp.list) }
        if describe {
            let page = try MethodHelp.page(of: method)
            return try daemon.output.print(MethodHelp.json(of: method), page)
        }
        let parameters = try CallArguments(parameters, of: Methods.named(method)).object
        try await daemon.connection.withClient { client in
            let result = try await client.call(method, parameters)
            if pretty {
                try Output.write(String(decoding: result.prettyBytes, as: UTF8.self))
            } else {
                try Output.line(result)
            }
        }
    }
}
