import Grid
import JSON
import Music
import NIOCore
import Session
import Wire

/// Lets keys and controllers of the MIDI input move what they are bound to, and learns new bindings.
///
/// Used on the control event loop only.
final class Controllers {
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
    }

    /// How long the next message is waited for.
    private static let patience: Duration = .seconds(30)
    /// From one change of a parameter to the next.
    private static let interval: Duration = .milliseconds(5)

    private var lesson: Lesson?
    private var movements: [MidiBinding: Movement] = [:]
    /// Where each controller stood last: a method is called when it rises through 64.
    private var positions: [MidiTrigger: Int] = [:]
    /// On whose behalf methods are called.
    private let client: Client

    /// Nothing moves yet; methods are called on behalf of a client that nobody hears.
    init() {
        // The session counts from 1.
        client = Client(id: ClientID(0), output: Unheard(), flushes: PendingFlushes())
        client.name = "midi"
    }

    /// When something is due, nil while nothing is.
    var wake: Duration? {
        let pending = movements.values.filter { $0.pending != nil }.compactMap(\.appliedAt).map { $0 + Self.interval }
        return (pending + [lesson?.end].compactMap(\.self)).min()
    }

    // MARK: Learning

    /// Binds the next message to an action. Who waited for one before is told that nothing came.
    func learn(_ action: MidiAction, for client: ClientID, on loop: ControlLoop) {
        endLesson(with: .nothing, on: loop)
        lesson = Lesson(client: client, action: action, end: loop.now + Self.patience)
        loop.schedulePass()
    }

    private func endLesson(with learned: MidiNews.Learned, on loop: ControlLoop) {
        guard let lesson else { return }
        self.lesson = nil
        loop.tell(MidiNews(learned), to: lesson.client)
    }

    // MARK: What comes in

    /// Takes messages, in order, and does what is due.
    func take(_ arrivals: [ArrivedMessage], at now: Duration, on loop: ControlLoop) {
        for arrival in arrivals { take(arrival, on: loop) }
        if let lesson, lesson.end <= now { endLesson(with: .nothing, on: loop) }
        for (binding, movement) in movements {
            let isDue = movement.appliedAt.map { $0 + Self.interval <= now } ?? true
            guard let value = movement.pending, isDue else { continue }
            movements[binding] = Movement(pending: nil, appliedAt: now)
            call(binding.action, value: value, at: now, on: loop)
        }
    }

    /// Takes where controllers stand after messages were lost.
    func catchUp(_ bindings: MidiBindings, _ position: (MidiTrigger) -> Int?) {
        for binding in bindings.all where binding.trigger.kind == .controller && binding.action.value != nil {
            if let position = position(binding.trigger) { movements[binding, default: Movement()].pending = position }
        }
    }

    private func take(_ arrival: ArrivedMessage, on loop: ControlLoop) {
        guard let (trigger, value) = arrival.trigger, let channel = trigger.channel else { return }
        if let lesson, value > 0 || trigger.kind != .note {
            let binding = MidiBinding(on: trigger, to: lesson.action)
            do {
                try loop.perform(.change([.bind(binding)]))
                return endLesson(with: .binding(binding), on: loop)
            } catch {
                return endLesson(with: .nothing, on: loop)
            }
        }
        let before = positions.updateValue(value, forKey: trigger) ?? 0
        let bindings = loop.withSession {
            $0.document.bindings.bindings(of: trigger.kind, channel: channel, number: trigger.number)
        }
        for binding in bindings {
            if binding.action.value != nil {
                movements[binding, default: Movement()].pending = value
            } else if trigger.kind == .program || (trigger.kind == .note ? value > 0 : before < 64 && value >= 64) {
                call(binding.action, value: nil, at: loop.now, on: loop)
            }
        }
    }

    // MARK: Methods

    private func call(_ action: MidiAction, value: Int?, at now: Duration, on loop: ControlLoop) {
        do {
            let call = Call(loop: loop, client: client, line: nil, now: now)
            _ = try action.handler().action(with: .byName(action.parameters(at: value)))(call)
        } catch {
            // It may be refused for now, as a tempo that follows somebody else.
            loop.log(error, calling: action.method)
        }
    }
}

/// Where answers go that nobody waits for.
private final class Unheard: ClientOutput {
    var isBlocked: Bool { false }
    var unsentBytes: Int { 0 }
    func send(_ lines: ByteBuffer) {}
    func resumeInput() {}
    func finish(lingering: Bool) {}
    func abort() {}
}

extension ArrivedMessage {
    /// What it moves, and how far; nil for a message that can be bound to nothing. The end of a note has the value 0.
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
