import Grid
import Music
import Session

/// The effects of keys and controllers at the MIDI input: a state machine that turns messages and time into actions.
struct ControllerMachine {
    /// What is to be done.
    enum Effect: Equatable {
        /// A client has learned a binding.
        case bind(MidiBinding, for: ClientID)
        /// A client's lesson is over: nothing came.
        case learnedNothing(ClientID)
        /// The controller's position for an action that follows it; nil for an action that is called.
        case call(MidiAction, position: Int?)
    }

    /// Who wants the next message to be bound, to what, and until when.
    private struct Lesson {
        var client: ClientID
        var action: MidiAction
        var end: Duration
    }

    /// How a binding's value moves.
    private struct Movement {
        var pending: Int?
        var appliedAt: Duration?

        /// When it may be applied.
        var dueAt: Duration { appliedAt.map { $0 + ControllerMachine.interval } ?? .zero }
    }

    /// How long the next message is waited for.
    static let patience: Duration = .seconds(30)
    /// From one change of a parameter to the next.
    static let interval: Duration = .milliseconds(5)

    private var lesson: Lesson?
    private var movements: [MidiBinding: Movement] = [:]
    /// Where each controller stood last: a method is called when it rises through 64.
    private var positions: [MidiTrigger: Int] = [:]

    /// When something is due, nil while nothing is.
    var wake: Duration? {
        let pending = movements.values.filter { $0.pending != nil }.map(\.dueAt)
        return (pending + [lesson?.end].compactMap(\.self)).min()
    }

    /// Waits for a message to bind to an action. Another client that was waiting gets none.
    mutating func learn(_ action: MidiAction, for client: ClientID, at now: Duration) -> [Effect] {
        defer { lesson = Lesson(client: client, action: action, end: now + Self.patience) }
        return lesson.map { [.learnedNothing($0.client)] } ?? []
    }

    /// Ends a client's lesson, if it has one: nobody would learn of a binding that the next key made.
    mutating func forget(_ client: ClientID) {
        if lesson?.client == client { lesson = nil }
    }

    /// Handles a message. What it moves is moved by ``advance(to:_:)``.
    mutating func handle(_ message: ArrivedMessage, _ bindings: MidiBindings) -> [Effect] {
        guard let (trigger, value) = message.trigger, let channel = trigger.channel else { return [] }
        if let lesson, value > 0 || trigger.kind != .note {
            self.lesson = nil
            return [.bind(MidiBinding(on: trigger, to: lesson.action), for: lesson.client)]
        }
        let before = positions.updateValue(value, forKey: trigger) ?? 0
        var effects: [Effect] = []
        for binding in bindings.bindings(of: trigger.kind, channel: channel, number: trigger.number) {
            if binding.action.value != nil {
                movements[binding, default: Movement()].pending = value
            } else if trigger.kind == .program || (trigger.kind == .note ? value > 0 : before < 64 && value >= 64) {
                effects.append(.call(binding.action, position: nil))
            }
        }
        return effects
    }

    /// Reads the positions of controllers again after messages were lost.
    mutating func catchUp(_ bindings: MidiBindings, _ position: (MidiTrigger) -> Int?) {
        for binding in bindings.all where binding.trigger.kind == .controller && binding.action.value != nil {
            if let position = position(binding.trigger) { movements[binding, default: Movement()].pending = position }
        }
    }

    /// Lets time pass: applies movements, each binding's at most 200 times a second and in the order in which they were
    /// bound, and ends learning when nothing came.
    mutating func advance(to now: Duration, _ bindings: MidiBindings) -> [Effect] {
        var effects: [Effect] = []
        if let lesson, lesson.end <= now {
            self.lesson = nil
            effects.append(.learnedNothing(lesson.client))
        }
        let due = movements.filter { $0.value.dueAt <= now }
        guard !due.isEmpty else { return effects }
        // Forgets controllers that rest, and bindings that were removed.
        for binding in due.keys { movements[binding] = nil }
        for binding in bindings.all {
            guard let position = due[binding]?.pending else { continue }
            movements[binding] = Movement(pending: nil, appliedAt: now)
            effects.append(.call(binding.action, position: position))
        }
        return effects
    }
}

extension ArrivedMessage {
    /// The trigger and its value; nil for a message that cannot be bound. The end of a note has the value 0.
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
