import JSON

/// The methods as an OpenRPC document (spec.open-rpc.org).
public enum OpenRPC {
    public static let document: JSONValue = [
        "openrpc": "1.3.2",
        "info": [
            "title": "pixelboopd",
            "version": .string("\(ControlProtocol.version)"),
            "description": "The control socket of the PixelBoop daemon: JSON-RPC 2.0, one JSON value per line.",
            "license": ["name": "Apache-2.0"],
        ],
        "methods": .array(Methods.all.map { .object($0.openRPC) }),
        // OpenRPC has no notion of notifications by the server.
        "x-notifications": .array(Notifications.all.map { .object($0.openRPC) }),
        "components": ["schemas": .object(schemas), "errors": .object(errors)],
    ]

    /// The document without white space.
    public static let bytes = document.bytes

    /// The schemas that methods and notifications refer to by name.
    public static let schemas: JSONObject = {
        var all = Schema([:])
        for method in Methods.all {
            for schema in method.parameters.map(\.schema) + [method.result] { all.define(schema.definitions) }
        }
        for notification in Notifications.all { all.define(notification.schema.definitions) }
        return all.definitions
    }()

    private static let errors = JSONObject(ErrorCode.ofDaemon, named: \.name) {
        ["code": .integer($0.number), "message": .string($0.summary)]
    }
}

extension MethodDescription {
    /// Its object in the document.
    public var openRPC: JSONObject {
        var object: JSONObject = ["name": .string(name), "summary": .string(summary)]
        if isDeprecated { object["deprecated"] = true }
        object["paramStructure"] = "by-name"
        object["params"] = .array(parameters.map { .object($0.openRPC) })
        object["result"] = ["name": "result", "schema": .object(result.json)]
        let own = errors.filter(ErrorCode.ofDaemon.contains)
        if !own.isEmpty {
            object["errors"] = .array(own.map { ["$ref": .string("#/components/errors/\($0.name)")] })
        }
        var call: JSONObject = [
            "name": .string(name),
            "params": .array(example.parameters.members.map { ["name": .string($0.name), "value": $0.value] }),
        ]
        if let answer = example.result { call["result"] = ["name": "result", "value": answer] }
        object["examples"] = [.object(call)]
        return object
    }
}

extension NotificationDescription {
    /// Its object in the document.
    public var openRPC: JSONObject {
        var object: JSONObject = ["name": .string(name), "summary": .string(summary)]
        if isDeprecated { object["deprecated"] = true }
        if let topic { object["topic"] = .string(topic.rawValue) }
        object["schema"] = .object(schema.json)
        object["examples"] = [.object(example)]
        return object
    }
}

extension ParameterDescription {
    fileprivate var openRPC: JSONObject {
        var object: JSONObject = ["name": .string(name), "summary": .string(summary)]
        if isDeprecated { object["deprecated"] = true }
        object["required"] = .bool(isRequired)
        object["schema"] = .object(schema.json)
        return object
    }
}
