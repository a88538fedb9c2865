import JSON
import OSC
import Wire

/// The request that a message makes.
enum OSCRequest: Equatable, Sendable {
    case call(method: String, JSONObject)
    /// Asks for topics for a while.
    case subscribe([Topic])
    case unsubscribe([Topic])
    /// Asks for all addresses.
    case namespace
    /// Asks for answers and events at another port.
    case replyTo(port: Int)
    /// A button was released.
    case nothing

    /// The beginning of all addresses.
    static let prefix = "/pixelboop/"
    static let listing = "/pixelboop/namespace"
    static let redirection = "/pixelboop/reply/to"
    /// Sent to a place, which sends it back.
    static let confirmation = "/pixelboop/confirm"
    /// The ports that a sender may name.
    static let ports = 1024...65_535

    /// Why a message cannot be carried out.
    struct Refusal: Error, Equatable {
        /// The method's name, which may be unknown.
        var method: String
        var error: WireError
    }

    init(_ message: OSCMessage) throws(Refusal) {
        guard message.address.hasPrefix(Self.prefix) else { throw Self.unknown(message.address) }
        let name = Self.name(of: message.address)
        if Self.hasButton(name), let isPressed = message.button {
            self = isPressed ? try OSCRequest(OSCMessage(message.address)) : .nothing
            return
        }
        switch name {
        case "namespace": self = .namespace
        case "reply.to": self = .replyTo(port: try Self.port(message.arguments, of: name))
        case Methods.subscribe.name: self = .subscribe(try Self.topics(message.arguments, of: name))
        case Methods.unsubscribe.name: self = .unsubscribe(try Self.topics(message.arguments, of: name))
        default:
            guard let method = Methods.named(name) else { throw Self.unknown(name) }
            self = .call(method: name, try Self.parameters(message.arguments, of: method))
        }
    }

    /// Whether a single number is a button's, not a value: no value is needed, and the first possible one is no number.
    private static func hasButton(_ name: String) -> Bool {
        guard let method = Methods.named(name) else { return name == "namespace" }
        let type = method.parameters.first?.schema.json["type"]
        return !method.parameters.contains(where: \.isRequired) && type != "number" && type != "integer"
    }

    /// Whether the bridge itself sends such messages: answers, events and confirmations.
    static func isOwn(_ message: OSCMessage) -> Bool {
        let address = message.address
        if address == listing { return message.arguments.first?.text != nil }
        return own.contains(address)
            || address.hasPrefix(stateEvent) && Methods.named(name(of: address)) == nil
    }

    private static let own = Set(
        [confirmation, "/pixelboop/reply", "/pixelboop/error"]
            + (Topic.allCases.map(\.rawValue) + Notifications.all.map(\.name)).map { prefix + $0 })
    private static let stateEvent = "\(prefix)\(Topic.state.rawValue)/"

    /// The method that an address stands for.
    static func name(of address: String) -> String {
        String(address.dropFirst(prefix.count)).replacing("/", with: ".")
    }

    private static func port(_ arguments: [OSCArgument], of method: String) throws(Refusal) -> Int {
        guard arguments.count == 1, let port = arguments[0].whole, ports.contains(port) else {
            throw Refusal(
                method: method,
                error: WireError(
                    .invalidParams, "port: expected one number from \(ports.lowerBound) to \(ports.upperBound)"))
        }
        return port
    }

    private static func unknown(_ name: String) -> Refusal {
        Refusal(
            method: name, error: WireError(.methodNotFound, "there is no such method; /pixelboop/namespace lists all"))
    }

    private static func topics(_ arguments: [OSCArgument], of method: String) throws(Refusal) -> [Topic] {
        let possible = Topic.allCases.filter { $0 != .audio }
        let topics = arguments.compactMap { argument in possible.first { $0.rawValue == argument.word } }
        guard topics.count == arguments.count, !topics.isEmpty else {
            let names = possible.map(\.rawValue).joined(separator: ", ")
            throw Refusal(method: method, error: WireError(.invalidParams, "topics: expected some of \(names)"))
        }
        return topics
    }

    /// Reads values in the order of the method's parameters; from the first optional one's name on, names and values.
    private static func parameters(
        _ arguments: [OSCArgument], of method: MethodDescription
    ) throws(Refusal) -> JSONObject {
        func refusal(_ words: String) -> Refusal {
            Refusal(method: method.name, error: WireError(.invalidParams, words))
        }
        let optional = method.parameters.filter { !$0.isRequired }
        var object = JSONObject()
        var rest = arguments[...]
        for parameter in method.parameters {
            let isNamed = rest.first?.word.map { word in optional.contains { $0.name == word } } ?? false
            guard !rest.isEmpty, parameter.isRequired || !isNamed else { break }
            object[parameter.name] = rest.removeFirst().json(as: parameter)
        }
        while let name = rest.popFirst() {
            guard let parameter = optional.first(where: { $0.name == name.word }) else {
                let names = optional.map(\.name).joined(separator: ", ")
                throw refusal(
                    optional.isEmpty
                        ? "expected \(method.parameters.count) values, got \(arguments.count)"
                        : "expected a name (\(names)) and its value")
            }
            guard let value = rest.popFirst() else {
                throw refusal("\(parameter.name): expected a value after the name")
            }
            object[parameter.name] = value.json(as: parameter)
        }
        return object
    }
}

extension OSCMessage {
    /// Whether the button is pressed that the message is from: its only value is a number, or T or F.
    fileprivate var button: Bool? {
        guard arguments.count == 1 else { return nil }
        return switch arguments[0] {
        case .integer(let value): value != 0
        case .long(let value): value != 0
        case .float(let value): value != 0
        case .double(let value): value != 0
        case .boolean(let value): value
        case .string: nil
        }
    }
}

extension OSCUnreadable {
    /// Whether its sender gets an error: it has an address, and is not an answer itself.
    var isAnswered: Bool {
        address.hasPrefix("/") && !OSCRequest.isOwn(OSCMessage(address)) && address != OSCRequest.listing
    }
}

extension OSCArgument {
    /// A whole number of any type, nil for anything else. Some controllers send all numbers as floats.
    var whole: Int? {
        switch self {
        case .integer, .long: int
        case .float(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        case .string, .boolean: nil
        }
    }

    /// The text if it is ASCII, as all names are.
    fileprivate var word: String? { text.flatMap { $0.isASCII ? $0 : nil } }

    /// The value as JSON, converted where the parameter's type does not exist in OSC.
    fileprivate func json(as parameter: ParameterDescription) -> JSONValue {
        switch (self, parameter.schema.json["type"]) {
        // Many controllers cannot send T and F.
        case (.integer(let value), "boolean") where value == 0 || value == 1: return .bool(value == 1)
        case (.float(let value), "boolean") where value == 0 || value == 1: return .bool(value == 1)
        case (.string(let text), let type)
        where type != "string" && (text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")):
            return (try? JSONValue(parsing: text.utf8)) ?? .string(text)
        case (.integer(let value), _): return .integer(Int(value))
        case (.long(let value), _): return .integer(Int(value))
        // The decimal number that was meant: 0.1, not 0.10000000149.
        case (.float(let value), _): return value.isFinite ? .number(Double("\(value)") ?? Double(value)) : .null
        case (.double(let value), _): return value.isFinite ? .number(value) : .null
        case (.string(let text), _): return .string(text)
        case (.boolean(let value), _): return .bool(value)
        }
    }
}
