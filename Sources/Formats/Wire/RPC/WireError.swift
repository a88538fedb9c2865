import JSON

/// An error as it crosses the control socket.
public struct WireError: Error, Equatable, Sendable {
    public var code: ErrorCode
    /// A sentence for people; for a wrong parameter it names the parameter and what was expected.
    public var message: String
    /// Details for programs, nil if there are none.
    public var data: JSONValue?

    public init(_ code: ErrorCode, _ message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The line is not JSON.
    public init(_ error: JSONError) {
        self.init(
            .parseError, "Parse error",
            data: ["reason": .string(error.description), "offset": .integer(error.offset)])
    }

    /// A parameter is missing, of the wrong type or outside its range.
    public init(_ error: FieldError) {
        var data: JSONObject = ["parameter": .string(error.field)]
        switch error.problem {
        case .unexpected(let expected, let got):
            data["expected"] = .string(expected)
            data["got"] = .string(got)
        case .invalid(let reason): data["reason"] = .string(reason)
        }
        self.init(.invalidParams, error.description, data: .object(data))
    }

    /// The JSON is not a request, with the reason.
    public static func invalidRequest(_ reason: String) -> WireError {
        WireError(.invalidRequest, "Invalid Request", data: ["reason": .string(reason)])
    }

    /// There is no such method.
    public static func methodNotFound(_ method: String) -> WireError {
        WireError(.methodNotFound, "Method not found", data: ["method": .string(method.shortened(to: 100))])
    }
}

extension WireError: CustomStringConvertible {
    /// The sentence for people, with the reason if the sentence is a set phrase of JSON-RPC.
    public var description: String {
        guard let reason = data?.objectValue?["reason"]?.stringValue, !message.contains(reason) else { return message }
        return "\(message): \(reason)"
    }
}

extension WireError: WireMessage {
    /// `{"code": -32601, "message": "...", "data": ...}`.
    public static let kind = Kind<WireError>.record(
        Member("code", .integer, \.code.number), Member("message", .string, \.message),
        .optional("data", .anything, \.data),
        make: { WireError(ErrorCode(number: $0), $1, data: $2) })
}
