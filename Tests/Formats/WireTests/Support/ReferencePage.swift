import JSON
import Wire

/// docs/reference.md: the methods' descriptions as a page for people.
enum ReferencePage {
    static let text = [introduction, index, methods, notifications, shapes, errors].joined(separator: "\n")

    private static let introduction = """
        # Methods of the control socket

        Every method with its parameters, what it returns, its errors and an example. [protocol.md](protocol.md) says how
        to talk to the daemon; [openrpc.json](openrpc.json) says the same as this page to programs. Both are written by
        `scripts/reference`.

        Parameters are always named; unknown names are ignored; 4.0 is an integer. In shapes, `?` marks what may be left out.

        """

    private static let index =
        table(["method", "what it does"], Methods.all.map { [link($0.name), words($0.summary, $0.isDeprecated)] })

    private static let methods = Methods.all.map(section).joined(separator: "\n")

    static func section(_ method: MethodDescription) -> String {
        var parts = ["## `\(method.name)`\n", words(method.summary, method.isDeprecated) + "\n"]
        if !method.parameters.isEmpty {
            parts.append(
                table(
                    ["parameter", "values", "", ""],
                    method.parameters.map {
                        ["`\($0.name)`", values(of: $0), presence(of: $0), words($0.summary, $0.isDeprecated)]
                    }))
        }
        parts.append("Returns \(shape(of: method.result)).\n")
        if !method.errors.isEmpty {
            parts.append("Errors: " + method.errors.map { "[\($0.number)](#errors)" }.joined(separator: ", ") + ".\n")
        }
        parts.append(example(method))
        return parts.joined(separator: "\n")
    }

    private static func words(_ summary: String, _ isDeprecated: Bool) -> String {
        (isDeprecated ? "**Deprecated.** " : "") + summary
    }

    private static func values(of parameter: ParameterDescription) -> String {
        let isObject = parameter.schema.name != nil || parameter.schema.json["properties"] != nil
        if isObject { return shape(of: parameter.schema) }
        let unit = parameter.schema.json["x-unit"]?.stringValue.map { " (\($0))" } ?? ""
        return parameter.expected + unit
    }

    private static func presence(of parameter: ParameterDescription) -> String {
        if parameter.isRequired { return "required" }
        return parameter.schema.json["default"].map { "\($0.text) unless given" } ?? "optional"
    }

    private static func shape(of schema: Schema) -> String {
        if let name = schema.name { return link(name) }
        return "`\(schema.json.shape)`"
    }

    private static func example(_ method: MethodDescription) -> String {
        var request: JSONObject = ["jsonrpc": "2.0", "method": .string(method.name)]
        if !method.example.parameters.isEmpty { request["params"] = .object(method.example.parameters) }
        request["id"] = 1
        var lines = ["    > " + JSONValue.object(request).text]
        if let result = method.example.result {
            lines.append("    < " + JSONValue.object(["jsonrpc": "2.0", "result": result, "id": 1]).text)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let notifications =
        "# Notifications\n\nWhat the daemon sends: the first line, the last one, and the topics that a client subscribed to.\n\n"
        + Notifications.all.map(section).joined(separator: "\n")

    static func section(_ notification: NotificationDescription) -> String {
        let line: JSONValue = [
            "jsonrpc": "2.0", "method": .string(notification.name), "params": .object(notification.example),
        ]
        return """
            ## Notification `\(notification.name)`

            \(words(notification.summary, notification.isDeprecated)) \(shape(of: notification.schema))

                < \(line.text)

            """
    }

    private static let shapes =
        "# Shapes\n\n"
        + OpenRPC.schemas.members.map { member in
            "## `\(member.name)`\n\n    " + (member.value.objectValue?.shape ?? "") + "\n"
        }.joined(separator: "\n")

    private static let errors =
        "# Errors\n\n"
        + table(
            ["code", "meaning"],
            ([.parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError] + ErrorCode.ofDaemon).map {
                ["\($0.number)", $0.summary]
            })

    private static func link(_ name: String) -> String {
        "[`\(name)`](#\(name.lowercased().filter { $0 != "." }))"
    }

    private static func table(_ header: [String], _ rows: [[String]]) -> String {
        ([header, header.map { _ in "---" }] + rows).map { cells in
            // A bar in a cell would end it.
            "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
        }.joined()
    }
}

extension JSONObject {
    /// What a schema's values look like: `{"state": "stopped" | "playing", "step": integer}`.
    fileprivate var shape: String {
        if let reference = self["$ref"]?.stringValue { return String(reference.split(separator: "/").last ?? "") }
        if let constant = self["const"] { return constant.text }
        if let values = self["enum"]?.arrayValue { return values.map(\.text).joined(separator: " | ") }
        switch self["type"] {
        case "object": return "{" + memberShapes.joined(separator: ", ") + "}"
        case "array": return "[" + (self["items"]?.objectValue?.shape ?? "") + ", ...]"
        case .array(let types)?: return types.compactMap(\.stringValue).joined(separator: " | ")
        case .string(let type)?: return type
        default: return "any"
        }
    }

    private var memberShapes: [String] {
        let required = self["required"]?.arrayValue ?? []
        return (self["properties"]?.objectValue?.members ?? []).map { member in
            let mark = required.contains(.string(member.name)) ? "" : "?"
            return "\"\(member.name)\"\(mark): \(member.value.objectValue?.shape ?? "any")"
        }
    }
}
