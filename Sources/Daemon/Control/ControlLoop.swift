import Engine
import Grid
import Instrument
import JSON
import Logging
import Music
import NIOCore
import Session
import Wire

/// Connects clients with the session. After input, and when something is due, it makes a round: it advances the
/// session's time, and delivers what is new to the subscribers. It sleeps while nothing changes.
///
/// Used on the control event loop only.
package final class ControlLoop {
    let eventLoop: any EventLoop
    let services: any ControlServices
    var settings: ControlCore.Settings
    package let logger: Logger

    private let session: Session
    private let didPass: @Sendable () -> Void
    private var hasSecondClock = false
    private var isPassScheduled = false
    private lazy var timer = LoopTimer(on: eventLoop) { [weak self] in self?.pass() }
    private lazy var turns = TurnQueue(on: eventLoop) { [weak self] in self?.schedulePass() }
    private let longLines = LongLineReader()
    /// The bindings of keys and controllers at work.
    let controllers: Controllers
    private var isStopped = false
    /// Whether clients were sent `bye`; later ones are refused.
    var isEnding = false
    /// Fulfilled when the last client is gone.
    var emptyPromise: EventLoopPromise<Void>?

    var clients: [Client] = []
    let flushes = PendingFlushes()
    var frames: FrameDelivery
    var states: StateDelivery
    var labels = LabelDelivery()
    private var audio = AudioDelivery()
    private(set) lazy var renders = Renders(on: self)
    private var storage = StorageState()
    var counts = Counts()
    /// Whether any client is sent each step, launch or message when it is heard.
    var followsSteps = false

    struct Counts {
        /// Notifications that would have been answered with an error.
        var notificationErrors = 0
        /// Pictures sent to, and dropped for, clients that are gone.
        var formerFrames = DeliveryCounts()
    }

    /// A loop without clients.
    ///
    /// - Parameter didPass: Called after each round, on the control event loop.
    init(
        on eventLoop: any EventLoop, session: Session, services: any ControlServices, settings: ControlCore.Settings,
        logger: Logger, didPass: @escaping @Sendable () -> Void
    ) {
        self.eventLoop = eventLoop
        self.session = session
        self.services = services
        self.settings = settings
        self.logger = logger
        self.didPass = didPass
        controllers = Controllers()
        let now = ControlClock.now
        let storage = storage
        let first = session.assumeIsolated { session in
            (drawing: session.drawing(at: now), state: InstrumentState(session, storage: storage))
        }
        frames = FrameDelivery(first.drawing, at: now)
        states = StateDelivery(first.state, at: now)
    }

    var now: Duration { ControlClock.now }

    var welcome: Welcome { Welcome(version: settings.version, limits: settings.limits) }

    // MARK: The session

    /// Accesses the session, whose executor is this loop.
    func withSession<Result: Sendable>(_ body: (isolated Session) throws -> Result) rethrows -> Result {
        try session.assumeIsolated(body)
    }

    /// Carries out a command.
    func perform(_ command: Command) throws {
        let now = now
        try withSession { try $0.perform(command, at: now) }
    }

    /// A remote client has sent a line.
    func hear(_ client: Client) {
        let (id, now) = (client.id, now)
        withSession { $0.hear(id, at: now) }
    }

    /// The state, up to date.
    func instrumentState() -> InstrumentState {
        let (storage, now) = (storage, now)
        return withSession { session in
            session.catchUp(to: now)
            return InstrumentState(session, storage: storage)
        }
    }

    /// Reports whether edits reach the disk.
    func storageChanged(to state: StorageState) {
        let stoppage = storage.takes
        storage = state
        storage.takes = stoppage
        states.invalidate()
        schedulePass()
    }

    /// Reports why no takes are kept, although they should be; nil when they are.
    func takesStopped(because reason: String?) {
        storage.takes = reason
        states.invalidate()
        takesChanged()
    }

    // MARK: Turns

    /// Lets a client continue after the others' turns.
    func queue(_ conversation: Conversation) {
        turns.append(conversation)
        schedulePass()
    }

    /// Reads a long line on another thread.
    func readLong(_ line: ByteBuffer) -> EventLoopFuture<PreparedLine> {
        eventLoop.makeFutureWithTask { [longLines] in await longLines.read(line) }
    }

    // MARK: Rounds

    /// Schedules a round after the pending input has been read; until then further calls have no effect.
    package func schedulePass() {
        guard !isPassScheduled, !isStopped else { return }
        isPassScheduled = true
        eventLoop.assumeIsolated().execute { [self] in
            isPassScheduled = false
            pass()
        }
    }

    /// Reports the changes so far before the round ends.
    func handOn() { didPass() }

    /// Makes no more rounds.
    func stop() {
        isStopped = true
        timer.set(to: nil)
        // Changes since the last round have been answered, so they must be stored.
        didPass()
    }

    private struct News: Sendable {
        var events: [SessionEvent]
        var audio: [AudioBlock]
        var stateRevision: Int
        var nextRedraw: Duration
        var hasSecondClock: Bool
    }

    /// Logs once that two clocks are connected: usually one, twice.
    private func report(secondClock: Bool) {
        if secondClock && !hasSecondClock {
            logger.warning("a second MIDI clock ticks at midi_in: only one is followed; disconnect the other")
        }
        hasSecondClock = secondClock
    }

    /// One round: advances time, delivers what is new to subscribers, and sets the timer for the next round.
    private func pass() {
        guard !isStopped else { return }
        let now = now
        moveControllers(at: now)
        let news = withSession { session in
            News(
                events: session.fetchEvents(), audio: session.fetchAudio(at: now), stateRevision: session.stateRevision,
                nextRedraw: session.nextRedraw, hasSecondClock: session.sync.hasSecondClock)
        }
        report(secondClock: news.hasSecondClock)
        EventDelivery.deliver(news.events, to: clients)
        audio.deliver(news.audio, to: clients)
        states.deliver(to: clients, at: now, revision: news.stateRevision, state: instrumentState)
        frames.deliver(to: clients, at: now, nextRedraw: news.nextRedraw) { draw(at: now) }
        deliverLabels(at: now)
        deliverChange(of: .library, LibraryEvent())
        deliverChange(of: .take, TakeEvent.changed)
        renders.deliver()
        flushes.flush()
        timer.set(to: [nextLook, states.wake, frames.wake, labels.wake, controllers.wake].compactMap(\.self).min())
        turns.schedule()
        didPass()
    }
}

extension ControlLoop {
    func draw(at now: Duration) -> FrameDelivery.Drawing {
        withSession { session in
            session.catchUp(to: now)
            return session.drawing(at: now)
        }
    }

    private func deliverLabels(at now: Duration) {
        guard labels.isWanted else { return }
        let isDrawn = withSession { $0.isPictureCurrent }
        labels.deliver(to: clients, at: now) {
            withSession { $0.labels() }
        } hasPicture: { client in
            isDrawn && frames.hasNewest(client)
        }
    }

    /// When the session must be looked at next. Unless somebody wants to know of each step when it is heard, that waits for
    /// the next picture, where it is close.
    private var nextLook: Duration? {
        let pictures = followsSteps ? nil : frames.schedule
        return withSession { $0.nextWake(beforePictures: pictures) }
    }

    /// Applies the MIDI input's messages to what they are bound to, before clients are sent what is new. It advances the
    /// session's time first.
    private func moveControllers(at now: Duration) {
        let (messages, isIncomplete, haveLeft) = withSession { session in
            session.advance(to: now)
            return (session.fetchMessages(), session.haveMessagesBeenLost(), session.haveKeyboardsLeft())
        }
        controllers.handle(messages, at: now, on: self)
        guard haveLeft || isIncomplete else { return }
        let bindings = withSession { $0.document.bindings }
        if haveLeft { controllers.keyboardsLeft(bindings, on: self) }
        guard isIncomplete else { return }
        // The messages that were kept are older than those that were lost.
        controllers.catchUp(bindings, on: self) { trigger in withSession { $0.position(of: trigger) } }
    }

    /// Logs an error that can only be the daemon's own fault.
    func log(_ error: any Error, calling method: String) {
        guard WireError(error).code == .internalError else { return }
        logger.error("\(method): \(error)")
    }
}

extension Session {
    fileprivate func drawing(at now: Duration) -> FrameDelivery.Drawing {
        FrameDelivery.Drawing(pictures: pictures(at: now), nextRedraw: nextRedraw)
    }
}
