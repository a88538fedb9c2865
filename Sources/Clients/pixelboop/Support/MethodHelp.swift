import Configuration
import JSON
import Wire

/// Help for the protocol's methods, for the terminal.
enum MethodHelp {
    /// All methods, one per line.
    static var list: String {
        let width = Methods.all.map(\.name.count).max() ?? 0
        return Methods.all.map { "\($0.name.padded(to: width))  \($0.summary)" }.joined(separator: "\n")
    }

    /// All methods, as in the OpenRPC document.
    static var json: JSONValue { OpenRPC.document.objectValue?["methods"] ?? [] }

    /// A method as in the OpenRPC document, null if there is none.
    static func json(of name: String) -> JSONValue {
        json.arrayValue?.first { $0.objectValue?["name"] == .string(name) } ?? .null
    }

    /// The method that was probably meant, as a question.
    static func advice(on name: String) -> String? {
        Suggestion.advice(on: name, among: Methods.all.map(\.name))
    }

    static func page(of name: String) throws -> String {
        guard let method = Methods.named(name) else {
            throw Failure(
                .usage, "no method '\(name)' in this version; \(advice(on: name) ?? "`pixelboop call` lists them")")
        }
        var lines = ["\(method.name): \(method.summary)"]
        let width = method.parameters.map(\.name.count).max() ?? 0
        lines += method.parameters.map { parameter in
            let mark =
                parameter.isRequired ? "" : parameter.schema.json["default"].map { ", else \($0.text)" } ?? ", optional"
            return "  \(parameter.name.padded(to: width))  \(parameter.expected)\(mark). \(parameter.summary)"
        }
        lines += method.errors.map { "  error \($0.number): \($0.summary)" }
        let parameters = method.example.parameters
        lines.append(
            "  example: pixelboop call \(name)" + (parameters.isEmpty ? "" : " '\(JSONValue.object(parameters).text)'"))
        if let result = method.example.result { lines.append("  returns: \(result.text)") }
        return lines.joined(separator: "\n")
    }
}
