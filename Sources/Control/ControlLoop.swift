import Engine
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
    /// Whether the clients have been sent a goodbye; later ones are not let in.
    private var isEnding = false
    /// Fulfilled when the last client is gone.
    private var emptyPromise: EventLoopPromise<Void>?

    private var clients: [Client] = []
    private let flushes = PendingFlushes()
    private var frames: FrameDelivery
    private var states: StateDelivery
    private var labels = LabelDelivery()
    private var audio = AudioDelivery()
    private var storage = StorageState()
    private var counts = Counts()

    private struct Counts {
        /// Notifications that would have been answered with an error.
        var notificationErrors = 0
        /// Pictures sent to and kept from clients that are gone.
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

    /// The time that the session goes by.
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

    /// Reports whether edits reach the disk.
    func storageChanged(to state: StorageState) {
        storage = state
        states.invalidate()
        schedulePass()
    }

    // MARK: Clients

    /// Welcomes a client; nil when the limit is reached, which the client is sent.
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

    /// Informs the session whether anybody is shown what is heard, and whether there are subscribers to traces.
    func watchersChanged() {
        let isWatched = clients.contains { $0.subscriptions.followsSound }
        labels.isWanted = clients.contains { $0.subscriptions.labels != nil }
        let isListening = clients.contains { $0.subscriptions.audio != nil }
        let isScopeWanted = clients.contains { $0.subscriptions.events.contains(.scope) }
        let requestListeners = Set(clients.filter { $0.subscriptions.events.contains(.sync) }.map(\.id))
        let now = now
        withSession { session in
            session.setWatched(isWatched)
            session.setRequestListeners(requestListeners)
            session.setScope(isWanted: isScopeWanted, at: now)
            session.setListening(isWanted: isListening, at: now)
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

    /// The picture of now, of a client's kind, as a key frame's object.
    func keyFrame(for client: Client, at now: Duration) -> [UInt8] {
        frames.keyFrame(for: client, at: now) { draw(at: now) }
    }

    /// Gives a client pictures with or without texts from now on.
    func setTooltips(_ areShown: Bool, of client: Client) {
        guard client.showsTooltips != areShown else { return }
        client.showsTooltips = areShown
        frames.kindChanged(of: client)
        schedulePass()
    }

    /// Notes that a saved pattern came, went or changed.
    func libraryChanged() {
        for client in clients where client.subscriptions.events.contains(.library) {
            client.subscriptions.owesLibrary = true
        }
        schedulePass()
    }

    /// Subscribes a client, and returns the present value of the topics that have one, as an object.
    ///
    /// - Parameter line: The line whose answer this will be in, nil when nothing is answered.
    /// - Throws: When audio is wanted beside anything else, or by too many.
    func subscribe(
        _ client: Client, to topics: [Topic], rate: Int, answeredIn line: Int?
    ) throws -> [UInt8] {
        try check(topics, of: client)
        let now = now
        var members: [[UInt8]] = []
        for topic in Topic.allCases where topics.contains(topic) {
            switch topic {
            case .frame:
                let start = frames.subscribe(client, rate: rate, answeredIn: line, at: now) { draw(at: now) }
                client.subscriptions.frame = start.subscription
                members.append(Array("\"frame\":".utf8) + start.keyFrame)
            case .state:
                let revision = withSession { $0.stateRevision }
                let start = states.subscribe(
                    rate: rate, answeredIn: line, at: now, revision: revision, state: instrumentState)
                client.subscriptions.state = start
                members.append(Array("\"state\":".utf8) + start.base.state.bytes)
            case .labels:
                let present = withSession { $0.labels() }
                let start = labels.subscribe(rate: rate, answeredIn: line, at: now, labels: present)
                client.subscriptions.labels = start.subscription
                members.append(Array("\"labels\":".utf8) + start.json)
            case .step, .launch, .tooltip, .haptic, .sync, .midi, .scope, .library:
                client.subscriptions.addEvents(topic)
            case .audio: client.subscriptions.audio = client.subscriptions.audio ?? AudioQueue()
            }
        }
        watchersChanged()
        return Array("{".utf8) + members.joined(separator: ",".utf8) + Array("}".utf8)
    }

    /// Audio has a connection of its own, so that nothing else waits behind it.
    private func check(_ topics: [Topic], of client: Client) throws {
        let listens = client.subscriptions.audio != nil
        guard topics.contains(.audio) else {
            guard !listens || topics.isEmpty else { throw Self.audioIsNotAlone }
            return
        }
        guard topics.allSatisfy({ $0 == .audio }), listens || client.subscriptions.isEmpty else {
            throw Self.audioIsNotAlone
        }
        let count = clients.count { $0.subscriptions.audio != nil && $0 !== client }
        guard count < AudioEvent.maximumListeners else {
            throw WireError(
                .tooManyClients, "\(count) clients listen, and no more may", data: ["limit": .integer(count)])
        }
    }

    private static let audioIsNotAlone = FieldError(
        field: "topics", expected: "audio on a connection of its own", got: "audio beside other topics")

    /// Figures about the daemon and its clients.
    func statistics() -> Statistics {
        let figures = services.figures()
        let (audio, droppedNotices, midi) = withSession {
            ($0.audio, $0.droppedNotices, $0.midiCounts)
        }
        return Statistics(
            uptime: figures.uptime,
            audio: AudioStatistics(
                state: audio, xruns: figures.xruns, xrunsLastHour: figures.xrunsLastHour, load: figures.load,
                worst: figures.worst, droppedNotices: droppedNotices),
            midi: midi,
            clients: clients.map { ClientStatistics($0) },
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
        var audio: [AudioBlock]
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
                events: session.takeEvents(), audio: session.takeAudio(at: now), stateRevision: session.stateRevision,
                nextWake: session.nextWake, nextRedraw: session.nextRedraw)
        }
        EventDelivery.deliver(news.events, to: clients)
        audio.deliver(news.audio, to: clients)
        states.deliver(to: clients, at: now, revision: news.stateRevision, state: instrumentState)
        frames.deliver(to: clients, at: now, nextRedraw: news.nextRedraw) { draw(at: now) }
        deliverLabels(at: now)
        for client in clients where client.subscriptions.owesLibrary && !client.isBlocked {
            client.subscriptions.owesLibrary = false
            client.write(ByteBuffer(bytes: LibraryEvent().line))
        }
        flushes.flush()
        timer.set(
            to: [news.nextWake, states.wake, frames.wake, labels.wake, controllers.wake].compactMap(\.self).min())
        turns.schedule()
        didPass()
    }
}

extension ControlLoop {
    private func deliverLabels(at now: Duration) {
        guard labels.isWanted else { return }
        let isDrawn = withSession { $0.isPictureCurrent }
        labels.deliver(to: clients, at: now) {
            withSession { $0.labels() }
        } hasPicture: { client in
            isDrawn && frames.hasNewest(client)
        }
    }
}

extension Session {
    fileprivate func drawing(at now: Duration) -> FrameDelivery.Drawing {
        FrameDelivery.Drawing(pictures: pictures(at: now), nextRedraw: nextRedraw)
    }
}

extension ClientStatistics {
    fileprivate init(_ client: Client) {
        self.init(
            id: client.id.number, name: client.name, frames: client.frames,
            audio: client.subscriptions.audio?.counts)
    }
}

extension ControlLoop {
    /// Lets what came in at the MIDI input move what it is bound to, before others are sent what is new.
    private func moveControllers(at now: Duration) {
        let (messages, isIncomplete) = withSession { session in
            session.advance(to: now)
            return (session.takeMessages(), session.haveMessagesBeenLost())
        }
        if isIncomplete {
            let bindings = withSession { $0.document.bindings }
            controllers.catchUp(bindings) { trigger in withSession { $0.position(of: trigger) } }
        }
        controllers.handle(messages, at: now, on: self)
    }

    /// Sends one client what it learned from the MIDI input, if it is subscribed to that.
    func send(_ news: MidiNews, to client: ClientID) {
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
