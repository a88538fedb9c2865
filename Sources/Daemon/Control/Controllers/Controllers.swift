import Grid
import Instrument
import JSON
import Music
import NIOCore
import Session
import Wire

/// Applies MIDI bindings, and learns new ones: carries out the effects of ``BindingMachine``.
///
/// Used on the control event loop only.
final class Controllers {
    private var machine = BindingMachine()
    /// The caller of bound methods, whose output is discarded.
    private let client: Client

    init() {
        // The session's client IDs start at 1.
        client = Client(id: ClientID(0), output: Unheard(), flushes: PendingFlushes())
        client.name = "midi"
        client.isController = true
    }

    /// When something is next due, nil for never.
    var wake: Duration? { machine.wake }

    /// Binds the next message to an action. A client that was already waiting is notified that nothing came.
    func learn(_ action: MidiAction, for client: ClientID, on loop: ControlLoop) {
        carryOut(machine.learn(action, for: client, at: loop.now), on: loop)
        loop.schedulePass()
    }

    /// Ends the lesson of a client that is gone or has unsubscribed.
    func forget(_ client: ClientID) { machine.forget(client) }

    /// Handles messages in order, and does what is due.
    func handle(_ arrivals: [ArrivedMessage], at now: Duration, on loop: ControlLoop) {
        // Read for each message, because one may change the bindings.
        var bindings: MidiBindings { loop.withSession { $0.document.bindings } }
        for arrival in arrivals { carryOut(machine.handle(arrival, bindings), on: loop) }
        carryOut(machine.advance(to: now, bindings), on: loop)
    }

    /// A keyboard is gone, and with it whatever was held on it.
    func keyboardsLeft(_ bindings: MidiBindings, on loop: ControlLoop) {
        carryOut(machine.keyboardsLeft(bindings), on: loop)
    }

    /// Rereads controller positions after messages were lost.
    func catchUp(_ bindings: MidiBindings, on loop: ControlLoop, _ position: (MidiTrigger) -> Int?) {
        carryOut(machine.catchUp(bindings, position), on: loop)
    }

    private func carryOut(_ effects: [BindingMachine.Effect], on loop: ControlLoop) {
        for effect in effects {
            switch effect {
            case .bind(let binding, let client):
                loop.send(MidiNews(bind(binding, on: loop) ? .binding(binding) : .nothing), to: client)
            case .learnedNothing(let client): loop.send(MidiNews(.nothing), to: client)
            case .call(let action, let position): call(action, position: position, on: loop)
            case .hold(let binding, 0): letGo(binding, on: loop)
            case .hold(let binding, let position):
                call(binding.action, position: position, by: binding.trigger, on: loop)
            }
        }
    }

    /// - Returns: Whether there was room for it.
    private func bind(_ binding: MidiBinding, on loop: ControlLoop) -> Bool {
        guard loop.withSession({ $0.document.bindings.hasRoom(for: binding.trigger) }) else { return false }
        do {
            try loop.perform(.change([.bind(binding)]))
            return true
        } catch {
            return false
        }
    }

    private func letGo(_ binding: MidiBinding, on loop: ControlLoop) {
        guard let effect = binding.action.parameters["effect"]?.name.flatMap(PunchEffect.init(name:)) else { return }
        loop.withSession { $0.endPunchIn(effect, by: .controller(binding.trigger)) }
    }

    /// - Parameter controller: What holds something by the call.
    private func call(
        _ action: MidiAction, position: Int?, by controller: MidiTrigger? = nil, on loop: ControlLoop
    ) {
        do {
            let call = MethodCall(loop: loop, client: client, line: nil, now: loop.now, controller: controller)
            let kits = loop.withSession { $0.kitNames }
            _ = try action.handler().action(with: .byName(action.parameters(at: position, kits: kits)))(call)
        } catch {
            // Refusal can be normal: the tempo cannot be set while it follows another source.
            loop.log(error, calling: action.method)
        }
    }
}

/// Discards answers.
private final class Unheard: ClientOutput {
    var isBlocked: Bool { false }
    var unsentBytes: Int { 0 }
    func send(_ lines: ByteBuffer) {}
    func resumeInput() {}
    func finish(lingering: Bool) {}
    func abort() {}
}
