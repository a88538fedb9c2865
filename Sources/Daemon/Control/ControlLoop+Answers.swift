import Grid
import JSON
import NIOCore
import Session
import Wire

// Requests that the loop itself answers: pictures, subscriptions, statistics.

extension ControlLoop {
    /// The current picture of the client's kind as a key frame object.
    func keyFrame(for client: Client, at now: Duration) -> [UInt8] {
        frames.keyFrame(for: client, at: now) { draw(at: now) }
    }

    /// Switches a client's tooltips on or off.
    func setTooltips(_ areShown: Bool, of client: Client) {
        guard client.showsTooltips != areShown else { return }
        client.showsTooltips = areShown
        frames.kindChanged(of: client)
        schedulePass()
    }

    /// Notes that a saved pattern was added, deleted or changed.
    func libraryChanged() { noteChange(of: .library) }

    /// Notes that takes have changed.
    func takesChanged() { noteChange(of: .take) }

    private func noteChange(of topic: Topic) {
        for client in clients where client.subscriptions.events.contains(topic) {
            client.subscriptions.owed.insert(topic)
        }
        schedulePass()
    }

    /// Notifies who must be notified of a topic's change, and can be.
    func deliverChange(of topic: Topic, _ notification: @autoclosure () -> some NotificationMessage) {
        for client in clients where client.subscriptions.owed.contains(topic) && !client.isBlocked {
            client.subscriptions.owed.remove(topic)
            client.write(ByteBuffer(bytes: notification().line))
        }
    }

    /// Subscribes a client, and returns an object with the current value of each topic that has one.
    ///
    /// - Parameter line: The line whose answer will include this, nil if nothing is answered.
    /// - Throws: If audio is requested along with other topics, or by too many clients.
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
                client.subscriptions.frame = start.subscription.replacing(client.subscriptions.frame)
                members.append(Array("\"frame\":".utf8) + start.keyFrame)
            case .state:
                let revision = withSession { $0.stateRevision }
                let start = states.subscribe(
                    rate: rate, answeredIn: line, at: now, revision: revision, state: instrumentState)
                client.subscriptions.state = start.replacing(client.subscriptions.state)
                members.append(Array("\"state\":".utf8) + start.base.value.bytes)
            case .labels:
                let present = withSession { $0.labels() }
                let start = labels.subscribe(rate: rate, answeredIn: line, at: now, labels: present)
                client.subscriptions.labels = start.subscription.replacing(client.subscriptions.labels)
                members.append(Array("\"labels\":".utf8) + start.json)
            case .step, .launch, .tooltip, .haptic, .sync, .midi, .scope, .punch, .library, .take, .audio:
                client.subscriptions.add(topic, answeredIn: line)
            }
        }
        watchersChanged()
        return Array("{".utf8) + members.joined(separator: ",".utf8) + Array("}".utf8)
    }

    /// Audio needs its own connection, so that nothing else waits behind it.
    private func check(_ topics: [Topic], of client: Client) throws {
        let listens = client.subscriptions.isListening
        guard topics.contains(.audio) else {
            guard !listens || topics.isEmpty else { throw Self.audioIsNotAlone }
            return
        }
        guard topics.allSatisfy({ $0 == .audio }), listens || client.subscriptions.isEmpty else {
            throw Self.audioIsNotAlone
        }
        let count = clients.count { $0.subscriptions.isListening && $0 !== client }
        guard count < AudioEvent.maximumListeners else {
            throw WireError(
                .tooManyClients, "\(count) clients listen already, the maximum", data: ["limit": .integer(count)])
        }
    }

    private static let audioIsNotAlone = FieldError(
        field: "topics", expected: "audio on a connection of its own", got: "audio beside other topics")

    func statistics() -> Statistics {
        let (state, droppedNotices, midi) = withSession {
            ($0.audio, $0.droppedNotices, $0.midiCounts)
        }
        var (uptime, audio, memory) = services.figures(state)
        audio.droppedNotices = droppedNotices
        return Statistics(
            uptime: uptime, audio: audio, midi: midi, clients: clients.map { ClientStatistics($0) },
            frames: clients.reduce(into: counts.formerFrames) { $0 += $1.frames },
            errors: counts.notificationErrors, memory: memory)
    }

    /// Counts a notification that would have been answered with an error.
    func countNotificationError() {
        counts.notificationErrors += 1
    }
}

extension ClientStatistics {
    fileprivate init(_ client: Client) {
        self.init(
            id: client.id.number, name: client.name, frames: client.frames,
            audio: client.subscriptions.audio?.counts)
    }
}
