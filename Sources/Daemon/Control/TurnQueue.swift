import NIOCore

/// Clients with more to do than one turn allows, in the order of their next turns.
///
/// Used on the control event loop only.
final class TurnQueue {
    private let eventLoop: any EventLoop
    /// Called after some clients had their turns.
    private let didGiveTurns: () -> Void
    private var waiting = CircularBuffer<Conversation>()
    /// A timer, because an event loop does not poll its sockets while it has tasks to execute.
    private lazy var timer = LoopTimer(on: eventLoop) { [weak self] in self?.giveTurns() }

    /// How many clients get a turn before sockets and pictures do.
    private static let turnsPerRound = 4

    init(on eventLoop: any EventLoop, didGiveTurns: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.didGiveTurns = didGiveTurns
    }

    /// Lets a client continue after those already queued.
    func append(_ conversation: Conversation) {
        waiting.append(conversation)
    }

    /// Schedules the next turns after the sockets have been read; call at the end of a round.
    func schedule() {
        timer.set(to: waiting.isEmpty ? nil : .zero)
    }

    private func giveTurns() {
        for _ in 0..<min(waiting.count, TurnQueue.turnsPerRound) { waiting.removeFirst().beginTurn() }
        didGiveTurns()
    }
}
