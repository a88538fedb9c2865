import JSON

public enum DaemonNotification: Sendable {
    /// One that ``Notifications`` describes.
    case message(any NotificationMessage)
    /// A merge patch (RFC 7386) to the client's state.
    case state(JSONValue)
    /// A method unknown to this version.
    case other(method: String)

    /// Reads the notification of a method.
    public init(method: String, parameters: JSONValue) throws(FieldError) {
        if let read = Notifications.all.first(where: { $0.name == method })?.read {
            self = .message(try read(parameters))
        } else {
            self = method == Topic.state.rawValue ? .state(parameters) : .other(method: method)
        }
    }

    /// The message, nil if it is of another kind.
    public func message<Message: NotificationMessage>(as kind: Message.Type = Message.self) -> Message? {
        if case .message(let message) = self { message as? Message } else { nil }
    }

    /// The line of a notification, its newline included.
    ///
    /// - Parameters:
    ///   - capacity: Approximate bytes of the parameters.
    ///   - appendParameters: Appends the parameters' object.
    public static func line(
        method: String, reserving capacity: Int = 128, appendParameters: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity + 96)
        bytes.append(contentsOf: "{\"jsonrpc\":\"2.0\",\"method\":".utf8)
        bytes.appendJSON(method)
        bytes.append(contentsOf: ",\"params\":".utf8)
        appendParameters(&bytes)
        bytes.append(contentsOf: "}\n".utf8)
        return bytes
    }

    /// The line of a state patch, its newline included.
    public static func stateLine(patch: JSONValue) -> [UInt8] {
        line(method: Topic.state.rawValue) { $0.appendJSON(patch) }
    }
}

public enum DaemonMessage: Sendable {
    case response(Response)
    case notification(DaemonNotification)

    /// Why a line from the daemon could not be read.
    public enum ReadError: Error, Equatable, Sendable {
        /// The line is not JSON.
        case json(JSONError)
        /// The line does not follow the protocol.
        case message(FieldError)
    }

    /// Reads a line, its newline removed: one message, or those of a batch.
    public static func messages(parsing line: some Collection<UInt8>) throws(ReadError) -> [DaemonMessage] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line)
        } catch {
            throw .json(error)
        }
        do {
            guard case .array(let elements) = value else { return [try DaemonMessage(value)] }
            var messages: [DaemonMessage] = []
            for element in elements { messages.append(try DaemonMessage(element)) }
            return messages
        } catch {
            throw .message(error)
        }
    }

    private init(_ value: JSONValue) throws(FieldError) {
        let object = try Kind.object.value(of: value, field: "message")
        guard let method = object["method"] else {
            self = .response(try Response(json: value))
            return
        }
        let name = try Kind.string.value(of: method, field: "method")
        self = .notification(try DaemonNotification(method: name, parameters: object["params"] ?? [:]))
    }
}
