import Grid
import Instrument
import Music
import Session
import Wire

/// The effects of keys and controllers at the MIDI input: a state machine that turns messages and time into actions.
struct BindingMachine {
    enum Effect: Equatable {
        /// A client has learned a binding.
        case bind(MidiBinding, for: ClientID)
        /// A client's lesson ended without a message.
        case learnedNothing(ClientID)
        /// Call an action, with the controller's position if it sets a value.
        case call(MidiAction, position: Int?)
        /// Hold what a binding holds as long as its key or controller is down: by a position, or with 0 let go of it.
        case hold(MidiBinding, position: Int)
    }

    /// A client waiting to bind the next message to an action.
    private struct Lesson {
        var client: ClientID
        var action: MidiAction
        var end: Duration
    }

    /// A binding's pending value, and when it was last applied.
    private struct Movement {
        var pending: Int?
        var appliedAt: Duration?

        /// When it may be applied.
        var dueAt: Duration { appliedAt.map { $0 + BindingMachine.interval } ?? .zero }
    }

    /// How long a lesson waits for a message.
    static let patience: Duration = .seconds(30)
    /// The least time between two changes of a parameter.
    static let interval: Duration = .milliseconds(5)

    private var lesson: Lesson?
    private var movements: [MidiBinding: Movement] = [:]
    /// Each controller's last position: a method is called when it rises through 64.
    private var positions: [MidiTrigger: Int] = [:]
    /// Controllers that were at 64 or above when their keyboard left: they count as released until they move.
    private var released: Set<MidiTrigger> = []
    /// The bindings that hold something.
    private var holding: Set<MidiBinding> = []

    /// When something is next due, nil for never.
    var wake: Duration? {
        let pending = movements.values.filter { $0.pending != nil }.map(\.dueAt)
        return (pending + [lesson?.end].compactMap(\.self)).min()
    }

    /// Waits for a message to bind to an action, in place of any other waiting client.
    mutating func learn(_ action: MidiAction, for client: ClientID, at now: Duration) -> [Effect] {
        defer { lesson = Lesson(client: client, action: action, end: now + Self.patience) }
        return lesson.map { [.learnedNothing($0.client)] } ?? []
    }

    /// Ends a gone client's lesson, if it has one, so that the next key is not bound unnoticed.
    mutating func forget(_ client: ClientID) {
        if lesson?.client == client { lesson = nil }
    }

    /// Handles a message. Parameters move only in ``advance(to:_:)``.
    mutating func handle(_ message: ArrivedMessage, _ bindings: MidiBindings) -> [Effect] {
        guard let (trigger, value) = message.trigger, let channel = trigger.channel else { return [] }
        let last = positions.updateValue(value, forKey: trigger) ?? 0
        let before = released.remove(trigger) == nil ? last : 0
        if let lesson, lesson.action.canFollow(trigger), value > 0 || trigger.kind != .note {
            self.lesson = nil
            return [.bind(MidiBinding(on: trigger, to: lesson.action), for: lesson.client)]
        }
        var effects: [Effect] = []
        for binding in bindings.bindings(of: trigger.kind, channel: channel, number: trigger.number) {
            if binding.action.value != nil {
                movements[binding, default: Movement()].pending = value
            } else if binding.action.isHeld {
                let isDown = trigger.kind == .note ? value > 0 : value >= 64
                if isDown != holding.contains(binding) { effects.append(hold(binding, at: isDown ? 127 : 0)) }
            } else if trigger.kind == .program || (trigger.kind == .note ? value > 0 : before < 64 && value >= 64) {
                effects.append(.call(binding.action, position: nil))
            }
        }
        return effects
    }

    private mutating func hold(_ binding: MidiBinding, at position: Int) -> Effect {
        if position > 0 { holding.insert(binding) } else { holding.remove(binding) }
        return .hold(binding, position: position)
    }

    /// Lets go of what bindings hold, or are about to hold.
    private mutating func letGo(where isOver: (MidiBinding) -> Bool) -> [Effect] {
        for binding in movements.keys where binding.action.isHeld && isOver(binding) { movements[binding] = nil }
        return holding.filter(isOver).map { hold($0, at: 0) }
    }

    /// A keyboard is gone: what was held on it counts as released. FILL and punch-ins end, because they last as long as
    /// they are held; other parameters stay where they are.
    mutating func keyboardsLeft(_ bindings: MidiBindings) -> [Effect] {
        for trigger in positions.filter({ $0.value >= 64 }).keys where released.insert(trigger).inserted {
            for binding in bindings.bindings(of: trigger.kind, channel: trigger.channel ?? 1, number: trigger.number)
            where binding.action.method == Methods.setFill.name && binding.action.value != nil {
                movements[binding, default: Movement()].pending = 0
            }
        }
        return letGo { _ in true }
    }

    /// Reads the positions of controllers again after messages were lost. A parameter moves now if the last message of its
    /// controller was lost. What keys and pedals hold ends: the message that they were released may be among those lost.
    mutating func catchUp(_ bindings: MidiBindings, _ position: (MidiTrigger) -> Int?) -> [Effect] {
        var found = positions
        for binding in bindings.all where binding.trigger.kind == .controller {
            for channel in binding.trigger.channel.map({ $0...$0 }) ?? 1...16 {
                let trigger = MidiTrigger(.controller, channel: channel, number: binding.trigger.number)
                guard let value = position(trigger), value != positions[trigger] else { continue }
                found[trigger] = value
                released.remove(trigger)
                if binding.action.value != nil { movements[binding, default: Movement()].pending = value }
            }
        }
        positions = found
        return letGo { $0.trigger.kind == .note || $0.action.value == nil }
    }

    /// Advances time: applies movements in the order of the bindings, each at most 200 times a second, and ends a
    /// lesson that has timed out. What a removed binding holds ends.
    mutating func advance(to now: Duration, _ bindings: MidiBindings) -> [Effect] {
        var effects: [Effect] = []
        if let lesson, lesson.end <= now {
            self.lesson = nil
            effects.append(.learnedNothing(lesson.client))
        }
        if !holding.isEmpty { effects += letGo { !bindings.all.contains($0) } }
        let due = movements.filter { $0.value.dueAt <= now }
        guard !due.isEmpty else { return effects }
        // Forgets idle controllers and removed bindings.
        for binding in due.keys { movements[binding] = nil }
        for binding in bindings.all {
            guard let position = due[binding]?.pending else { continue }
            movements[binding] = Movement(pending: nil, appliedAt: now)
            effects.append(
                binding.action.isHeld ? hold(binding, at: position) : .call(binding.action, position: position))
        }
        return effects
    }
}

extension ArrivedMessage {
    /// The trigger and its value, 0 for a note-off; nil for a message that cannot be bound.
    fileprivate var trigger: (MidiTrigger, value: Int)? {
        guard let status = bytes.first, bytes.count > 1 else { return nil }
        let (channel, number) = (Int(status & 0xf) + 1, Int(bytes[1]))
        let value = bytes.count > 2 ? Int(bytes[2]) : 127
        return switch status >> 4 {
        case 0x8: (MidiTrigger(.note, channel: channel, number: number), 0)
        case 0x9: (MidiTrigger(.note, channel: channel, number: number), value)
        case 0xb: (MidiTrigger(.controller, channel: channel, number: number), value)
        case 0xc: (MidiTrigger(.program, channel: channel, number: number), 127)
        default: nil
        }
    }
}
