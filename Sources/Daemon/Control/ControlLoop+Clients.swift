import Grid
import JSON
import NIOCore
import Session
import Wire

// The clients, from the welcome to the end of their connections.

extension ControlLoop {
    /// Welcomes a client. At the limit it is sent an error instead, and the result is nil.
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
            .tooManyClients, "\(settings.maximumClients) clients are connected already, the maximum",
            data: ["limit": .integer(settings.maximumClients)])
        output.send(ByteBuffer(bytes: Response.bytes(id: .null, error: error) + [UInt8(ascii: "\n")]))
        output.finish(lingering: false)
    }

    /// Schedules a round that checks every subscriber, because a socket has room again or a subscription began.
    package func subscribersChanged() {
        frames.subscribersChanged()
        states.subscribersChanged()
        schedulePass()
    }

    /// Notes that subscriptions have begun, because their answer was sent.
    func subscriptionsBegan() {
        watchersChanged()
        subscribersChanged()
    }

    /// Tells the session which subscribers there are: to what is heard, to requests, to the oscilloscope and to audio.
    func watchersChanged() {
        let isWatched = clients.contains { $0.subscriptions.followsSound }
        labels.isWanted = clients.contains { $0.subscriptions.labels != nil }
        let isListening = clients.contains { $0.subscriptions.audio != nil }
        followsSteps = clients.contains { $0.subscriptions.followsSteps }
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

    /// Forgets a client that left, its touches and its MIDI learning.
    func detach(_ client: Client) {
        guard let index = clients.firstIndex(where: { $0 === client }) else { return }
        clients.remove(at: index)
        counts.formerFrames += client.frames
        let (id, now) = (client.id, now)
        withSession { $0.disconnect(id, at: now) }
        controllers.forget(id)
        renders.forget(client)
        watchersChanged()
        schedulePass()
        if clients.isEmpty { stopWaiting() }
    }

    /// Sends all clients the reason, then closes their connections.
    func dismissAll(reason: String) {
        isEnding = true
        for client in clients { client.dismiss(reason: reason) }
    }

    /// Closes all connections at once, and ends the wait of ``allGone()``.
    func abortAll() {
        for client in clients { client.abort() }
        stopWaiting()
    }

    /// Fulfilled when the last client is gone.
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

    /// Sends one client the result of its `midi.learn`, if it subscribes to `midi`.
    func send(_ news: MidiNews, to client: ClientID) {
        guard let client = clients.first(where: { $0.id == client }) else { return }
        guard client.subscriptions.events.contains(.midi), !client.isBlocked else { return }
        client.write(ByteBuffer(bytes: news.line))
    }
}
