import JSON

/// A call of a method: a request, which is answered, or a notification, which is not.
public struct Request: Equatable, Sendable {
    public enum Parameters: Equatable, Sendable {
        case none
        case byPosition([JSONValue])
        case byName(JSONObject)
    }

    /// Nil for a notification.
    public var id: RequestID?
    /// The method's name.
    public var method: String
    /// The method's parameters.
    public var parameters: Parameters

    public init(id: RequestID?, method: String, parameters: Parameters = .none) {
        self.id = id
        self.method = method
        self.parameters = parameters
    }

    /// Whether the call wants no answer.
    public var isNotification: Bool { id == nil }

    public var json: JSONObject {
        var object: JSONObject = ["jsonrpc": "2.0", "method": .string(method)]
        switch parameters {
        case .none: break
        case .byPosition(let values): object["params"] = .array(values)
        case .byName(let values): object["params"] = .object(values)
        }
        object["id"] = id?.json
        return object
    }

    /// The call as a line, its newline included.
    public var line: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendJSON(json)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// One element of a client's line: a call, or something invalid that must be answered.
public enum IncomingCall: Equatable, Sendable {
    case call(Request)
    case invalid(id: RequestID, WireError)

    init(_ value: JSONValue) {
        guard let object = value.objectValue else {
            self = .invalid(id: .null, .invalidRequest("expected an object, got \(value.kind)"))
            return
        }
        let id = object["id"].map { RequestID($0) }
        if case .some(.none) = id {
            self = .invalid(id: .null, .invalidRequest("id: expected a string, a number within 64 bits or null"))
            return
        }
        switch Result(catching: { () throws(WireError) in try IncomingCall.request(object, id: id ?? nil) }) {
        case .success(let request): self = .call(request)
        case .failure(let error): self = .invalid(id: (id ?? nil) ?? .null, error)
        }
    }

    private static func request(_ object: JSONObject, id: RequestID?) throws(WireError) -> Request {
        guard object["jsonrpc"] == "2.0" else {
            throw .invalidRequest("jsonrpc: expected \"2.0\"")
        }
        guard let method = object["method"]?.stringValue else {
            throw .invalidRequest("method: expected a string")
        }
        switch object["params"] {
        case nil: return Request(id: id, method: method)
        case .array(let values): return Request(id: id, method: method, parameters: .byPosition(values))
        case .object(let values): return Request(id: id, method: method, parameters: .byName(values))
        case .some(let other): throw .invalidRequest("params: expected an object, got \(other.kind)")
        }
    }
}

/// A line from a client.
public enum IncomingLine: Equatable, Sendable {
    case single(IncomingCall)
    /// One or more calls that are answered together.
    case batch([IncomingCall])

    /// Reads a line, its newline removed.
    ///
    /// - Throws: The error to answer with, under the id null, if the line is not JSON, or is a batch of no calls or of
    ///   more than ``ControlProtocol/maximumBatchLength``.
    public init(parsing line: some Collection<UInt8>) throws(WireError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line)
        } catch {
            throw WireError(error)
        }
        guard case .array(let elements) = value else {
            self = .single(IncomingCall(value))
            return
        }
        guard !elements.isEmpty else { throw .invalidRequest("a batch must hold at least one call") }
        let limit = ControlProtocol.maximumBatchLength
        guard elements.count <= limit else {
            throw .invalidRequest("a batch may hold at most \(limit) calls, got \(elements.count)")
        }
        self = .batch(elements.map { IncomingCall($0) })
    }
}

/// The id that ties a response to its request: a string, a number or null, sent back unchanged.
public enum RequestID: Hashable, Sendable {
    case integer(Int)
    /// A number that is not written as an integer.
    case number(Double)
    case string(String)
    /// A request's own choice, or the stand-in for an unknown id.
    case null

    /// Reads an id; nil for a boolean, an array or an object, and for a number beyond 64 bits, as the nearest double may
    /// be another number.
    public init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .number(let number) where number.magnitude < 0x1p63: self = .number(number)
        case .string(let string): self = .string(string)
        case .bool, .number, .array, .object: return nil
        }
    }

    public var json: JSONValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .string(let string): .string(string)
        case .null: .null
        }
    }
}
