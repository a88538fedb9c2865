import JSON

/// A message that crosses the control socket as a JSON object.
public protocol WireMessage: Equatable, Sendable {
    /// How the message is read and written, and its schema. Unknown members are ignored, so that the protocol can grow.
    static var kind: Kind<Self> { get }
}

extension WireMessage {
    public init(json: JSONValue) throws(FieldError) {
        self = try Self.kind.value(of: json, field: "message")
    }

    public var json: JSONObject { Self.kind.json(of: self).objectValue ?? [:] }
}

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
