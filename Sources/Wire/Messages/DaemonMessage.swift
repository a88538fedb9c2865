import JSON
import Music

/// What the daemon sends without being asked.
public enum DaemonNotification: Equatable, Sendable {
    case welcome(Welcome)
    case frame(FrameUpdate)
    /// A merge patch (RFC 7386) against the state that the client knows.
    case state(JSONValue)
    case step(StepEvent)
    case launch(LaunchEvent)
    case tooltip(TooltipEvent)
    case haptic(HapticEvent)
    /// What players ask of the client that holds the timeline.
    case sync(TimelineRequest)
    /// What comes in at the MIDI input, or was learned.
    case midi(MidiNews)
    /// What an oscilloscope shows.
    case scope(ScopeEvent)
    /// A saved pattern came, went or changed.
    case library(LibraryEvent)
    /// What the cells stand for.
    case labels(LabelUpdate)
    /// What is heard.
    case audio(AudioEvent)
    case bye(Bye)
    /// A method that this version does not know.
    case other(method: String)

    /// The notification of a method and its parameters.
    public init(method: String, parameters: JSONValue) throws(FieldError) {
        switch method {
        case Welcome.method: self = .welcome(try Welcome(json: parameters))
        case FrameUpdate.method: self = .frame(try FrameUpdate(json: parameters))
        case Topic.state.rawValue: self = .state(parameters)
        case StepEvent.method: self = .step(try StepEvent(json: parameters))
        case LaunchEvent.method: self = .launch(try LaunchEvent(json: parameters))
        case TooltipEvent.method: self = .tooltip(try TooltipEvent(json: parameters))
        case HapticEvent.method: self = .haptic(try HapticEvent(json: parameters))
        case TimelineRequest.method: self = .sync(try TimelineRequest(json: parameters))
        case MidiNews.method: self = .midi(try MidiNews(json: parameters))
        case ScopeEvent.method: self = .scope(try ScopeEvent(json: parameters))
        case LibraryEvent.method: self = .library(try LibraryEvent(json: parameters))
        case LabelUpdate.method: self = .labels(try LabelUpdate(json: parameters))
        case AudioEvent.method: self = .audio(try AudioEvent(json: parameters))
        case Bye.method: self = .bye(try Bye(json: parameters))
        default: self = .other(method: method)
        }
    }

    /// The line of a notification, its newline included.
    ///
    /// - Parameters:
    ///   - capacity: Bytes that the parameters will about need.
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

    /// The line with what changed of the state for a subscriber, its newline included.
    public static func stateLine(patch: JSONValue) -> [UInt8] {
        line(method: Topic.state.rawValue) { $0.appendJSON(patch) }
    }
}

/// One thing that the daemon said.
public enum DaemonMessage: Equatable, Sendable {
    case response(Response)
    case notification(DaemonNotification)

    /// Why a line from the daemon could not be read.
    public enum ReadError: Error, Equatable, Sendable {
        /// The line is not JSON.
        case json(JSONError)
        /// The line is not what the protocol says.
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
