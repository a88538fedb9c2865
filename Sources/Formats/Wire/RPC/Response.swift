import JSON

/// The answer to a request.
public struct Response: Equatable, Sendable {
    /// The request's id; null if unknown.
    public var id: RequestID
    /// What the method returned, or its error.
    public var result: Result<JSONValue, WireError>

    public init(id: RequestID, result: Result<JSONValue, WireError>) {
        self.id = id
        self.result = result
    }

    /// A successful answer without newline; the function appends its result.
    public static func bytes(id: RequestID, appendResult: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = Array("{\"jsonrpc\":\"2.0\",\"result\":".utf8)
        appendResult(&bytes)
        bytes.appendID(id)
        return bytes
    }

    /// An error without newline.
    public static func bytes(id: RequestID, error: WireError) -> [UInt8] {
        var bytes = Array("{\"jsonrpc\":\"2.0\",\"error\":".utf8)
        bytes.appendJSON(error.json)
        bytes.appendID(id)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func appendID(_ id: RequestID) {
        append(contentsOf: ",\"id\":".utf8)
        appendJSON(id.json)
        append(UInt8(ascii: "}"))
    }
}

extension Response: WireMessage {
    /// An answer has either a `result` or an `error`.
    public static let kind = Kind<Response>.object(
        schema: ["type": "object"],
        reading: { (fields) throws(FieldError) in
            let id = try fields("id", .requestID)
            if let error = try fields.optional("error", WireError.kind) {
                return Response(id: id, result: .failure(error))
            }
            return Response(id: id, result: .success(try fields("result", .anything)))
        },
        writing: { response in
            switch response.result {
            case .success(let value): ["jsonrpc": "2.0", "result": value, "id": response.id.json]
            case .failure(let error): ["jsonrpc": "2.0", "error": .object(error.json), "id": response.id.json]
            }
        })
}

extension Kind<RequestID> {
    static let requestID = Kind(
        expected: "a string, a number within 64 bits or null", schema: ["type": ["string", "number", "null"]],
        reading: { RequestID($0) }, writing: { $0.json })
}
