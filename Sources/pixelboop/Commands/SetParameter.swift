import ArgumentParser
import JSON
import Music
import PatternFormat
import PixelBoopClient
import Wire

/// Any parameter of the whole instrument.
struct SetParameter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a parameter of the whole instrument, or list them all.",
        discussion: Parameter.ofWhole.map { parameter in
            "  \(parameter.row.name.padded(to: width))  \(parameter.row.title): \(parameter.argumentValues)."
        }.joined(separator: "\n"))

    private static let width = Parameter.ofWhole.map(\.row.name.count).max() ?? 0

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The parameter.", completion: .list(Parameter.ofWhole.map(\.row.name)))
    var parameter: ParameterName?
    @Argument(help: "Its new value.")
    var value: String?

    func run() async throws {
        guard let parameter = parameter?.parameter else { return try await list() }
        guard let text = value else { throw Failure(.usage, "\(parameter.row.name) takes \(parameter.argumentValues)") }
        guard let value = ParameterValue(text, of: parameter) else {
            throw Failure(.usage, "\(parameter.row.name) takes \(parameter.argumentValues), not '\(text)'")
        }
        try await connection.withClient { client in
            let kept = try await client.set(parameter, to: value)
            try output.print([parameter.row.name: kept.json], "\(parameter.row.name) \(kept.argument)")
        }
    }

    private func list() async throws {
        try await connection.withClient { client in
            let settings = try await client.state().state.settings
            let values = Parameter.ofWhole.map { (name: $0.row.name, value: settings[$0]) }
            try output.print(
                .object(JSONObject(values.map { .init(name: $0.name, value: $0.value.json) })),
                values.map { "\($0.name.padded(to: Self.width))  \($0.value.argument)" }.joined(separator: "\n"))
        }
    }
}

/// The name of a parameter of the whole instrument.
struct ParameterName: ExpressibleByArgument {
    let parameter: Parameter

    init?(argument: String) {
        let name = argument.lowercased()
        guard let parameter = Parameter.ofWhole.first(where: { $0.row.name.lowercased() == name }) else { return nil }
        self.parameter = parameter
    }
}
