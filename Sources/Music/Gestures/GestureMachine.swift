import Grid
import Music

/// Turns touches and the passing of time into actions. It reads no clock and does no I/O.
///
/// Times are durations since any fixed origin and never go back.
public struct GestureMachine: Sendable {
    /// The most fingers that one client may have on the grid; a further one drops the one that went down first.
    public static let fingersPerClient = 64

    private struct Finger: Sendable {
        let client: ClientID
        let id: Int
        let surface: TouchSurface
        var place: Place
        var contact: any Contact
    }

    /// The parts of the context that decide what a finger is on.
    private struct Surroundings: Equatable, Sendable {
        let key: Key
        let length: Int
        let playing: PlayingSlots
        let lenses: OpenLenses
        /// Changes with the notes, which decide what a tap would write.
        let revision: Int
    }

    /// In the order of their `down`.
    private var fingers: [Finger] = []
    private var memory = Memory()
    private var surroundings: Surroundings?
    private var turnCount = 0

    /// A machine that no finger touches.
    public init() {}

    /// When ``advance(to:in:)`` must be called next, nil while no finger waits for anything.
    public var nextDeadline: Duration? {
        let fingers = fingers.lazy.compactMap(\.contact.wait?.deadline).min()
        return [fingers, memory.pickUps.nextDeadline].compactMap(\.self).min()
    }

    /// The pads that clients have picked up for copying.
    public var pickedUp: Set<Pad> { memory.pickUps.all }

    /// What the fingers would write if they were lifted now, touch by touch in the order of their `down`.
    public var previews: [[PreviewCell]] { fingers.map(\.contact.preview).filter { !$0.isEmpty } }

    /// The changes of direction of the current scrub, 0 to 5; the most if there are several, nil without one.
    public var scrubChanges: Int? { fingers.lazy.compactMap(\.contact.scrubChanges).max() }

    /// Whether a finger holds FILL.
    public var isFilling: Bool { fingers.contains { $0.contact.isFilling } }

    /// Whether a drag is still under way: it was not lifted or dropped, and has not become a scrub.
    public func isUnderWay(_ drag: DragID) -> Bool { fingers.contains { $0.contact.drag == drag } }

    /// Handles a message from a client. A `down` must be on the grid; other places are clamped to it.
    public mutating func touch(
        _ touch: Touch, by client: ClientID, on surface: TouchSurface, at now: Duration, in context: GestureContext
    ) -> [Action] {
        let moment = TouchMoment(arrival: now, client: client, time: touch.time)
        return turn(at: moment, of: (client, touch), in: context) { machine, turn in
            for index in machine.fingers.indices where machine.fingers[index].client == client {
                machine.fingers[index].contact.messageArrived(at: turn.now)
            }
            let index = machine.fingers.firstIndex { $0.client == client && $0.id == touch.id }
            switch (touch.phase, index) {
            case (.down, _):
                if let index { machine.drop(index, in: &turn) }
                machine.begin(touch, by: client, on: surface, in: &turn)
            case (.move, let index?): machine.move(index, touch, in: &turn)
            case (.up, let index?):
                machine.move(index, touch, in: &turn)
                machine.fingers[index].contact.lift(in: &turn)
                machine.fingers.remove(at: index)
            case (.cancel, let index?): machine.drop(index, in: &turn)
            case (_, nil): break
            }
        }
    }

    /// Lets time pass: handles holds, repeats and timeouts that are due.
    public mutating func advance(to now: Duration, in context: GestureContext) -> [Action] {
        turn(at: TouchMoment(arrival: now), in: context) { _, _ in }
    }

    /// Updates touches after scale, root, length, notes or lenses changed under them.
    public mutating func contextChanged(at now: Duration, in context: GestureContext) -> [Action] {
        turn(at: TouchMoment(arrival: now), in: context) { _, _ in }
    }

    /// Drops all touches of a client that disconnected, without writing.
    public mutating func disconnect(_ client: ClientID) {
        fingers.removeAll { $0.client == client }
        memory.forget(client)
    }

    /// Counts a tempo tap, as the tempo cell does; taps by fingers and by programs count together.
    ///
    /// - Returns: The tempo so far, nil on the first tap after a pause of 3 s.
    public mutating func tapTempo(at now: Duration) -> ParameterValue? {
        memory.tapTempo.tap(at: TouchMoment(arrival: now))
    }

    // MARK: Turns

    /// Handles everything in order: changes of the context, waits that ended before now, the event itself, and its
    /// effects on the other fingers.
    ///
    /// - Parameter event: The touch that arrived and its client, nil if only time has passed.
    private mutating func turn(
        at now: TouchMoment, of event: (client: ClientID, touch: Touch)? = nil, in context: GestureContext,
        _ body: (inout GestureMachine, inout Turn) -> Void
    ) -> [Action] {
        turnCount += 1
        var turn = Turn(turnCount, at: now, in: context, memory: memory)
        judgeAnew(in: turn)
        while let index = firstDue(at: now) {
            turn.now = fingers[index].contact.wait?.end ?? now
            turn.isAnswer = event.map { fingers[index].client == $0.client && fingers[index].id == $0.touch.id } ?? true
            fingers[index].contact.expire(in: &turn)
            judgeAnew(in: turn)
        }
        (turn.now, turn.isAnswer) = (now, true)
        turn.memory.pickUps.expire(at: now.arrival)
        body(&self, &turn)
        judgeAnew(in: turn)
        memory = turn.memory
        return turn.actions
    }

    /// The finger whose wait ended first; nil while none has. For the fingers of a client whose messages have times, the time
    /// of its message counts and not that of its arrival, so that a late message does not turn a tap into a hold.
    private func firstDue(at now: TouchMoment) -> Int? {
        var first: (index: Int, end: Duration)?
        for (index, finger) in fingers.enumerated() {
            guard let wait = finger.contact.wait else { continue }
            let isOwn = wait.start.isTimed && wait.start.client == now.client
            guard isOwn ? wait.isOver(at: now) : wait.deadline.map({ $0 <= now.arrival }) ?? false else { continue }
            if let first, first.end <= wait.end.arrival { continue }
            first = (index, wait.end.arrival)
        }
        return first?.index
    }

    private mutating func judgeAnew(in turn: Turn) {
        let current = Surroundings(
            key: turn.key, length: turn.length, playing: turn.document.pattern.playing, lenses: turn.context.lenses,
            revision: turn.document.history.revision)
        guard current != surroundings else { return }
        surroundings = current
        fingers = fingers.compactMap { finger in
            var finger = finger
            return finger.contact.judgeAnew(in: turn) ? finger : nil
        }
    }

    // MARK: Fingers

    private mutating func begin(_ touch: Touch, by client: ClientID, on surface: TouchSurface, in turn: inout Turn) {
        let place = Place(of: touch, on: surface)
        guard let contact = HitTest.contact(at: place, of: client, on: surface, in: &turn) else { return }
        fingers.append(Finger(client: client, id: touch.id, surface: surface, place: place, contact: contact))
        guard fingers.count(where: { $0.client == client }) > GestureMachine.fingersPerClient,
            let oldest = fingers.firstIndex(where: { $0.client == client })
        else { return }
        drop(oldest, in: &turn)
    }

    /// A report of the same place is not a move; a lift is always evaluated.
    private mutating func move(_ index: Int, _ touch: Touch, in turn: inout Turn) {
        let place = Place(of: touch, on: fingers[index].surface)
        guard place != fingers[index].place || touch.phase == .up else { return }
        fingers[index].place = place
        fingers[index].contact.move(to: place, in: &turn)
    }

    private mutating func drop(_ index: Int, in turn: inout Turn) {
        fingers[index].contact.abandon(in: &turn)
        fingers.remove(at: index)
    }
}
