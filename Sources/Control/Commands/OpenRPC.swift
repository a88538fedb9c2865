import JSON
import Wire

/// The command table as an OpenRPC document (spec.open-rpc.org).
public enum OpenRPC {
    /// The document.
    public static let document: JSONValue = [
        "openrpc": "1.3.2",
        "info": [
            "title": "pixelboopd",
            "version": .string("\(ControlProtocol.version)"),
            "description": "The control socket of the PixelBoop daemon: JSON-RPC 2.0, one JSON value per line.",
            "license": ["name": "Apache-2.0"],
        ],
        "methods": .array(MethodTable.methods.map { .object($0.description) }),
        "components": ["schemas": .object(Schemas.components), "errors": .object(errors)],
    ]

    /// The document without white space.
    static let bytes = document.bytes

    private static let errors: JSONObject = [
        "NotFound": error(.notFound, "Nothing of that name."),
        "NoAudio": error(.noAudio, "No JACK server."),
        "Storage": error(.storage, "The disk would not."),
        "TooManyClients": error(.tooManyClients, "As many clients as may are connected."),
    ]

    private static func error(_ code: ErrorCode, _ message: String) -> JSONValue {
        ["code": .integer(code.number), "message": .string(message)]
    }
}

extension Method {
    fileprivate var description: JSONObject {
        [
            "name": .string(name),
            "summary": .string(summary),
            "paramStructure": "by-name",
            "params": .array(parameters.map { .object($0.description) }),
            "result": ["name": "result", "schema": .object(result)],
        ]
    }
}

extension Method.ParameterDescription {
    fileprivate var description: JSONObject {
        [
            "name": .string(name), "summary": .string(summary), "required": .bool(isRequired),
            "schema": .object(schema),
        ]
    }
}
