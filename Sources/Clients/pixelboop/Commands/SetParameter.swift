import ArgumentParser
import Configuration
import JSON
import Music
import PatternFormat
import PixelBoopClient
import Wire

/// Any parameter of the whole instrument.
struct SetParameter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set or show a parameter of the whole instrument, or list them all.",
        discussion: Parameter.ofWhole.map { parameter in
            "  \(parameter.row.name.padded(to: width))  \(parameter.row.title): \(parameter.argumentValues)."
        }.joined(separator: "\n"))

    private static let width = Parameter.ofWhole.map(\.row.name.count).max() ?? 0

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The parameter.", completion: .list(Parameter.ofWhole.map(\.row.name)))
    var parameter: String?
    @Argument(help: "Its new value.")
    var value: String?

    func validate() throws { _ = try parameter.map(Self.named) }

    func run() async throws {
        guard let parameter = try parameter.map(Self.named) else { return try await list() }
        let new = try value.map { text in
            guard let value = ParameterValue(text, of: parameter) else {
                throw Failure(.usage, "\(parameter.row.name) takes \(parameter.argumentValues), not '\(text)'")
            }
            return value
        }
        try await daemon.connection.withClient { client in
            let kept = try await client.parameter(parameter, setTo: new)
            try daemon.output.print([parameter.row.name: kept.json], "\(parameter.row.name) \(kept.argument)")
        }
    }

    private static func named(_ text: String) throws -> Parameter {
        if let parameter = Parameter(ofWhole: text) { return parameter }
        let advice = Suggestion.advice(on: text, among: Parameter.ofWhole.map(\.row.name))
        throw ValidationError("no parameter '\(text)'; \(advice ?? "`pixelboop set` lists them")")
    }

    private func list() async throws {
        try await daemon.connection.withClient { client in
            let settings = try await client.state().state.settings
            let values = Parameter.ofWhole.map { (name: $0.row.name, value: settings[$0]) }
            try daemon.output.print(
                .object(JSONObject(values, named: \.name) { $0.value.json }),
                values.map { "\($0.name.padded(to: Self.width))  \($0.value.argument)" }.joined(separator: "\n"))
        }
    }
}
