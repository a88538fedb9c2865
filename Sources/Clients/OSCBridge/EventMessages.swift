import Grid
import JSON
import OSC
import PixelBoopClient
import Wire

/// Converts the daemon's events into messages; of picture and state only the changes.
struct EventMessages: Sendable {
    /// Changed cells per message, so that it fits any network's datagrams.
    static let cellsInMessage = 120
    /// Values that outgrow 32 bits; their type must not change in the middle of a run.
    private static let times = ["frame", "usecs"]

    private var frame: Frame?
    private var leaves: [String: JSONValue] = [:]

    init() {}

    mutating func messages(for event: ClientEvent) -> [OSCMessage] {
        switch event {
        case .frame(let keyFrame): cells(keyFrame.frame)
        case .state(let snapshot): state(snapshot.json)
        default: event.message.map { [Self.message(for: $0)] } ?? []
        }
    }

    /// `/pixelboop/step 7 48000 1000 39 bass 5`: all values in order.
    private static func message(for event: some NotificationMessage) -> OSCMessage {
        let arguments = event.json.members.flatMap { member -> [OSCArgument] in
            guard times.contains(member.name), case .integer(let time) = member.value else {
                return member.value.oscArguments
            }
            return [.long(Int64(time))]
        }
        return OSCMessage(OSCRequest.prefix + type(of: event).method, arguments)
    }

    /// `/pixelboop/frame index rgb index rgb ...`, all cells the first time.
    private mutating func cells(_ new: Frame) -> [OSCMessage] {
        let changes =
            frame.map { new.changes(from: $0) }
            ?? new.cells.enumerated().map { CellChange(index: $0, value: $1) }
        frame = new
        return stride(from: 0, to: changes.count, by: Self.cellsInMessage).map { start in
            let part = changes[start..<min(start + Self.cellsInMessage, changes.count)]
            return OSCMessage(
                OSCRequest.prefix + Topic.frame.rawValue,
                part.flatMap { [.integer(Int32($0.index)), .integer(Int32($0.value))] })
        }
    }

    /// `/pixelboop/state/tracks/bass/gain -3`, one message for each changed setting; one that is gone has no value.
    private mutating func state(_ json: JSONValue) -> [OSCMessage] {
        var messages: [OSCMessage] = []
        var seen: [String: JSONValue] = [:]
        func add(_ value: JSONValue, at address: String) {
            if let object = value.objectValue {
                for member in object.members { add(member.value, at: "\(address)/\(member.name)") }
                return
            }
            seen[address] = value
            if leaves[address] != value { messages.append(OSCMessage(address, value.oscArguments)) }
        }
        add(json, at: OSCRequest.prefix + Topic.state.rawValue)
        let gone = leaves.keys.filter { seen[$0] == nil }.sorted()
        leaves = seen
        return gone.map { OSCMessage($0) } + messages
    }
}

extension JSONValue {
    /// The value as OSC arguments: none for null, several for arrays, names and values for objects.
    var oscArguments: [OSCArgument] {
        switch self {
        case .null: []
        case .bool(let value): [.boolean(value)]
        case .integer(let value): [Int32(exactly: value).map { .integer($0) } ?? .long(Int64(value))]
        case .number(let value): [.float(Float(value))]
        case .string(let text): [.string(text)]
        case .array(let elements): elements.flatMap(\.oscArguments)
        case .object(let object): object.members.flatMap { [.string($0.name)] + $0.value.oscArguments }
        }
    }
}
