import JSON

/// Something that crosses the control socket as an object, written by one side and read by the other.
public protocol WireMessage: Equatable, Sendable {
    /// Reads the message's members; unknown ones are ignored, so that the protocol may grow.
    init(_ fields: Fields) throws(FieldError)

    /// The message as an object.
    var json: JSONObject { get }
}

extension WireMessage {
    /// Reads the message.
    public init(json: JSONValue) throws(FieldError) {
        self = try Kind.message(Self.self).value(of: json, field: "message")
    }
}

/// A message that the daemon sends without being asked.
public protocol NotificationMessage: WireMessage {
    /// The method that it calls at the client.
    static var method: String { get }
}

extension NotificationMessage {
    /// The message as a line, its newline included.
    public var line: [UInt8] {
        DaemonNotification.line(method: Self.method) { $0.appendJSON(json) }
    }
}
