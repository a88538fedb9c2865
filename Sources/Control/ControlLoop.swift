import Grid
import JSON
import Logging
import Music
import NIOCore
import Session
import Wire

/// Brings clients and session together: after input, and when something is due, it lets the session's time pass, takes
/// what is new and gives it to the subscribers. While nothing changes it sleeps.
///
/// Used on the control event loop only.
package final class ControlLoop {
    let eventLoop: any EventLoop
    let services: any ControlServices
    var settings: ControlCore.Settings
    package let logger: Logger

    private let session: Session
    private let didPass: @Sendable () -> Void
    private var isPassScheduled = false
    private lazy var timer = LoopTimer(on: eventLoop) { [weak self] in self?.pass() }
    private lazy var turns = TurnQueue(on: eventLoop) { [weak self] in self?.schedulePass() }
    private let longLines = LongLineReader()
    /// What keys and controllers move.
    let controllers: Controllers
    private var isStopped = false
    /// Whether the clients have been told goodbye; later ones are not let in.
    private var isEnding = false
    /// Fulfilled when the last client is gone.
    private var emptyPromise: EventLoopPromise<Void>?

    private var clients: [Client] = []
    private let flushes = PendingFlushes()
    private var frames: FrameDelivery
    private var states: StateDelivery
    private var storage = StorageState()
    private var counts = Counts()

    private struct Counts {
        /// Notifications that would have been answered with an error.
        var notificationErrors = 0
        /// Pictures sent to and kept from clients that are gone.
        var formerFrames = FrameCounts()
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

    /// The time that the session is told.
    var now: Duration { ControlClock.now }

    /// The daemon's first words.
    var welcome: Welcome { Welcome(version: settings.version, limits: settings.limits) }

    // MARK: The session

    /// Does something with the session, which lives on this loop.
    func withSession<Result: Sendable>(_ body: (isolated Session) throws -> Result) rethrows -> Result {
        try session.assumeIsolated(body)
    }

    /// Carries a command out that comes late: when the service that it waited for was done.
    func perform(_ command: Command) throws {
        let now = now
        try withSession { try $0.perform(command, at: now) }
    }

    /// All settings.
    func instrumentState() -> InstrumentState {
        let (storage, now) = (storage, now)
        return withSession { session in
            session.catchUp(to: now)
            return InstrumentState(session, storage: storage)
        }
    }

    /// Tells what became of the audio driver.
    func audioChanged(to status: AudioStatus, timing: AudioTiming) {
        let now = now
        withSession { $0.audioChanged(to: status, timing: timing, at: now) }
        schedulePass()
    }

    /// Tells whether edits reach the disk.
    func storageChanged(to state: StorageState) {
        storage = state
        states.invalidate()
        schedulePass()
    }

    // MARK: Clients

    /// Welcomes a client; nil, and the client told why, when the limit is reached.
    package func attach(_ output: any ClientOutput) -> Conversation? {
        guard !isEnding else {
            output.abort()
            return nil
        }
        guard clients.count < settings.maximumClients else {
            refuse(output)
            return nil
        }
        let client = Client(id: withSession { $0.connect() }, output: output, flushes: flushes)
        clients.append(client)
        client.write(ByteBuffer(bytes: welcome.line))
        client.flush()
        return Conversation(with: client, over: output, on: self)
    }

    private func refuse(_ output: any ClientOutput) {
        let error = WireError(
            .tooManyClients, "\(settings.maximumClients) clients are connected, and no more may be",
            data: ["limit": .integer(settings.maximumClients)])
        output.send(ByteBuffer(bytes: Response.bytes(id: .null, error: error) + [UInt8(ascii: "\n")]))
        output.finish(lingering: false)
    }

    /// Has a round made in which every subscriber is looked at: someone can be sent something again.
    package func subscribersChanged() {
        frames.subscribersChanged()
        states.subscribersChanged()
        schedulePass()
    }

    /// Tells the session whether anybody is shown what is heard, and whether there are subscribers to traces.
    func watchersChanged() {
        let isWatched = clients.contains { $0.subscriptions.followsSound }
        let isScopeWanted = clients.contains { $0.subscriptions.events.contains(.scope) }
        let requestTakers = Set(clients.filter { $0.subscriptions.events.contains(.sync) }.map(\.id))
        let now = now
        withSession { session in
            session.setWatched(isWatched)
            session.setRequestTakers(requestTakers)
            session.setScope(isWanted: isScopeWanted, at: now)
        }
    }

    /// Forgets a client that went away; its touches are dropped.
    func detach(_ client: Client) {
        guard let index = clients.firstIndex(where: { $0 === client }) else { return }
        clients.remove(at: index)
        counts.formerFrames += client.frames
        let (id, now) = (client.id, now)
        withSession { $0.disconnect(id, at: now) }
        watchersChanged()
        schedulePass()
        if clients.isEmpty { stopWaiting() }
    }

    /// Says why, and closes all connections once that has left.
    func dismissAll(reason: String) {
        isEnding = true
        for client in clients { client.dismiss(reason: reason) }
    }

    /// Closes all connections at once; ``allGone()`` waits no longer, whatever becomes of them.
    func abortAll() {
        for client in clients { client.abort() }
        stopWaiting()
    }

    /// When the last client is gone.
    func allGone() -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        emptyPromise = promise
        if clients.isEmpty { stopWaiting() }
        return promise.futureResult
    }

    private func stopWaiting() {
        emptyPromise?.succeed()
        emptyPromise = nil
    }

    // MARK: Turns

    /// Lets a client go on after the others have had their turn.
    func queue(_ conversation: Conversation) {
        turns.append(conversation)
        schedulePass()
    }

    /// Reads a long line on another thread.
    func readLong(_ line: ByteBuffer) -> EventLoopFuture<PreparedLine> {
        eventLoop.makeFutureWithTask { [longLines] in await longLines.read(line) }
    }

    // MARK: Answers

    /// The picture of now as a key frame's object.
    func keyFrame(at now: Duration) -> [UInt8] {
        frames.keyFrame(at: now) { draw(at: now) }
    }

    /// Subscribes a client, and returns the present value of the topics that have one, as an object.
    ///
    /// - Parameter line: The line whose answer this will be in, nil when nothing is answered.
    func subscribe(_ client: Client, to topics: [Topic], rate: Int, answeredIn line: Int?) -> [UInt8] {
        let now = now
        var members: [[UInt8]] = []
        for topic in Topic.allCases where topics.contains(topic) {
            switch topic {
            case .frame:
                let start = frames.subscribe(rate: rate, answeredIn: line, at: now) { draw(at: now) }
                client.subscriptions.frame = start.subscription
                members.append(Array("\"frame\":".utf8) + start.keyFrame)
            case .state:
                let revision = withSession { $0.stateRevision }
                let start = states.subscribe(
                    rate: rate, answeredIn: line, at: now, revision: revision, state: instrumentState)
                client.subscriptions.state = start
                members.append(Array("\"state\":".utf8) + start.base.state.bytes)
            case .step, .launch, .tooltip, .haptic, .sync, .midi, .scope: client.subscriptions.addEvents(topic)
            }
        }
        watchersChanged()
        return Array("{".utf8) + members.joined(separator: ",".utf8) + Array("}".utf8)
    }

    /// Figures about the daemon and its clients.
    func statistics() -> Statistics {
        let figures = services.figures()
        let (audio, droppedNotices, midi) = withSession {
            (AudioState($0.audio), $0.droppedNotices, MidiStatistics($0.midiFigures))
        }
        return Statistics(
            uptime: figures.uptime,
            audio: AudioStatistics(
                state: audio, xruns: figures.xruns, load: figures.load, worst: figures.worst,
                droppedNotices: droppedNotices),
            midi: midi,
            clients: clients.map { ClientStatistics(id: $0.id.number, name: $0.name, frames: $0.frames) },
            frames: clients.reduce(into: counts.formerFrames) { $0 += $1.frames },
            errors: counts.notificationErrors, memory: figures.memory)
    }

    /// Counts a notification that would have been answered with an error.
    func countNotificationError() {
        counts.notificationErrors += 1
    }

    private func draw(at now: Duration) -> FrameDelivery.Drawing {
        withSession { session in
            session.catchUp(to: now)
            return session.drawing(at: now)
        }
    }

    // MARK: Rounds

    /// Has a round made as soon as the input at hand has been read; more calls until then make no difference.
    package func schedulePass() {
        guard !isPassScheduled, !isStopped else { return }
        isPassScheduled = true
        eventLoop.assumeIsolated().execute { [self] in
            isPassScheduled = false
            pass()
        }
    }

    /// Hands on what was changed so far, without waiting for the round to end.
    func handOn() { didPass() }

    /// Makes no more rounds; what the last one was to hand on is handed on.
    func stop() {
        isStopped = true
        timer.set(to: nil)
        // What was done since the last round has been answered, and must not be lost.
        didPass()
    }

    private struct News: Sendable {
        var events: [SessionEvent]
        var stateRevision: Int
        var nextWake: Duration?
        var nextRedraw: Duration
    }

    /// One round: time passes, what is new goes to those who want it, and the next round is set.
    private func pass() {
        guard !isStopped else { return }
        let now = now
        moveControllers(at: now)
        let news = withSession { session in
            session.advance(to: now)
            return News(
                events: session.takeEvents(), stateRevision: session.stateRevision, nextWake: session.nextWake,
                nextRedraw: session.nextRedraw)
        }
        EventDelivery.deliver(news.events, to: clients)
        states.deliver(to: clients, at: now, revision: news.stateRevision, state: instrumentState)
        frames.deliver(to: clients, at: now, nextRedraw: news.nextRedraw) { draw(at: now) }
        flushes.flush()
        timer.set(to: [news.nextWake, states.wake, frames.wake, controllers.wake].compactMap(\.self).min())
        turns.schedule()
        didPass()
    }
}

extension Session {
    fileprivate func drawing(at now: Duration) -> FrameDelivery.Drawing {
        FrameDelivery.Drawing(frame: frame(at: now), nextRedraw: nextRedraw)
    }
}

extension FrameCounts {
    /// Adds what another client was sent.
    fileprivate static func += (sum: inout FrameCounts, more: FrameCounts) {
        sum.sent += more.sent
        sum.dropped += more.dropped
    }
}

extension ControlLoop {
    /// Lets what came in at the MIDI input move what it is bound to, before others are told what is new.
    private func moveControllers(at now: Duration) {
        let (messages, isIncomplete) = withSession { session in
            session.advance(to: now)
            return (session.takeMessages(), session.haveMessagesBeenLost())
        }
        if isIncomplete {
            let bindings = withSession { $0.document.bindings }
            controllers.catchUp(bindings) { trigger in withSession { $0.position(of: trigger) } }
        }
        controllers.take(messages, at: now, on: self)
    }

    /// Tells one client what became of its lesson, if it wants to know.
    func tell(_ news: MidiNews, to client: ClientID) {
        guard let client = clients.first(where: { $0.id == client }) else { return }
        guard client.subscriptions.events.contains(.midi), !client.isBlocked else { return }
        client.write(ByteBuffer(bytes: news.line))
    }

    /// Writes to the log what only the daemon's own fault can be.
    func log(_ error: any Error, calling method: String) {
        guard WireError(error).code == .internalError else { return }
        logger.error("\(method): \(error)")
    }
}
