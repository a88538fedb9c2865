import NIOCore

/// Clients that have more to do than one turn allows, in the order of their next turns.
///
/// Used on the control event loop only.
final class TurnQueue {
    private let eventLoop: any EventLoop
    /// Called after some clients have gone on.
    private let didGiveTurns: () -> Void
    private var waiting = CircularBuffer<Conversation>()
    /// A timer, because an event loop does not look at its sockets while it has tasks to execute.
    private lazy var timer = LoopTimer(on: eventLoop) { [weak self] in self?.giveTurns() }

    /// How many clients go on before sockets and pictures are looked at again.
    private static let turnsPerRound = 4

    init(on eventLoop: any EventLoop, didGiveTurns: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.didGiveTurns = didGiveTurns
    }

    /// Lets a client continue after those that are queued.
    func append(_ conversation: Conversation) {
        waiting.append(conversation)
    }

    /// Schedules the next turns after the sockets have been read; to be called at the end of a round.
    func schedule() {
        timer.set(to: waiting.isEmpty ? nil : .zero)
    }

    private func giveTurns() {
        for _ in 0..<min(waiting.count, TurnQueue.turnsPerRound) { waiting.removeFirst().takeTurn() }
        didGiveTurns()
    }
}
