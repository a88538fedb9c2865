/// A message at the MIDI input that calls an action: from a controller, a key or a program change.
public struct MidiTrigger: Hashable, Sendable {
    public enum Source: String, Named {
        case controller = "cc"
        case note
        case program
    }

    public var kind: Source
    /// 1 to 16; nil for any.
    public var channel: Int?
    /// The controller, key or program, 0 to 127.
    public var number: Int

    public init(_ kind: Source, channel: Int?, number: Int) {
        self.kind = kind
        self.channel = channel
        self.number = number
    }

    /// Whether a message on a channel, 1 to 16, calls the action.
    public func matches(_ kind: Source, channel: Int, number: Int) -> Bool {
        self.kind == kind && self.number == number && (self.channel ?? channel) == channel
    }
}

/// The action of a binding: a method of the control socket.
public struct MidiAction: Hashable, Sendable {
    /// The method's name.
    public var method: String
    /// Its parameters, without ``value``.
    public var parameters: [String: ParameterValue]
    /// The parameter that the controller moves over its whole range; nil for a method that is called when a note starts or
    /// the controller rises through 64.
    public var value: String?

    public init(_ method: String, _ parameters: [String: ParameterValue] = [:], value: String? = nil) {
        self.method = method
        self.parameters = parameters
        self.value = value
    }
}

/// A trigger and the action that it calls.
public struct MidiBinding: Hashable, Sendable {
    public var trigger: MidiTrigger
    public var action: MidiAction

    /// A trigger and the action that it calls.
    public init(on trigger: MidiTrigger, to action: MidiAction) {
        self.trigger = trigger
        self.action = action
    }
}

/// All bindings, at most one for each trigger.
public struct MidiBindings: Equatable, Sendable {
    /// How many there may be.
    public static let capacity = 256

    /// In the order in which they were bound.
    public private(set) var all: [MidiBinding]

    /// The bindings of a new instrument: volume and pan of each track, and programs on channel 16 for scenes.
    public init() {
        all = Track.allCases.flatMap { track in
            [(7, "gain"), (10, "pan")].map { number, value in
                MidiBinding(
                    on: MidiTrigger(.controller, channel: track.defaultChannel, number: number),
                    to: MidiAction("track.set", ["track": .choice(track.name)], value: value))
            }
        }
        all += (0..<Slot.count).map { index in
            MidiBinding(
                on: MidiTrigger(.program, channel: 16, number: index),
                to: MidiAction("scene.launch", ["scene": .number(Double(index + 1))]))
        }
    }

    /// As many of these as there is room for.
    package init(_ bindings: [MidiBinding]) {
        all = []
        for binding in bindings { bind(binding) }
    }

    /// Binds a trigger, replacing its binding.
    ///
    /// - Returns: Whether anything changed; false when there is no room.
    @discardableResult
    mutating func bind(_ binding: MidiBinding) -> Bool {
        if let index = all.firstIndex(where: { $0.trigger == binding.trigger }) {
            defer { all[index] = binding }
            return all[index] != binding
        }
        guard all.count < Self.capacity else { return false }
        all.append(binding)
        return true
    }

    /// Removes a trigger's binding.
    ///
    /// - Returns: Whether it was bound.
    mutating func unbind(_ trigger: MidiTrigger) -> Bool {
        let count = all.count
        all.removeAll { $0.trigger == trigger }
        return all.count < count
    }

    public func hasRoom(for trigger: MidiTrigger) -> Bool {
        all.count < Self.capacity || all.contains { $0.trigger == trigger }
    }

    /// The bindings of a message on a channel, 1 to 16.
    public func bindings(of kind: MidiTrigger.Source, channel: Int, number: Int) -> [MidiBinding] {
        all.filter { $0.trigger.matches(kind, channel: channel, number: number) }
    }
}
