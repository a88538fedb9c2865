import NIOCore

/// Clients that have more to do than one turn allows, in the order in which they go on.
///
/// Used on the control event loop only.
final class TurnQueue {
    private let eventLoop: any EventLoop
    /// Called after some clients have gone on.
    private let didGiveTurns: () -> Void
    private var waiting = CircularBuffer<Conversation>()
    /// Not a task to be executed at once: while it has one of these, an event loop does not look at its sockets.
    private lazy var timer = LoopTimer(on: eventLoop) { [weak self] in self?.giveTurns() }

    /// How many clients go on before sockets and pictures are looked at again.
    private static let turnsPerRound = 4

    init(on eventLoop: any EventLoop, didGiveTurns: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.didGiveTurns = didGiveTurns
    }

    /// Lets a client go on when those who came before it have.
    func append(_ conversation: Conversation) {
        waiting.append(conversation)
    }

    /// Has the next ones go on after a look at the sockets; to be called when nothing else is left to do.
    func schedule() {
        timer.set(to: waiting.isEmpty ? nil : .zero)
    }

    private func giveTurns() {
        for _ in 0..<min(waiting.count, TurnQueue.turnsPerRound) { waiting.removeFirst().takeTurn() }
        didGiveTurns()
    }
}
