import JSON
import OSC
import PixelBoopClient
import Wire

/// One sender's conversation with the daemon, over its own connection.
actor OSCConversation {
    /// How long a sender receives a topic before it has to ask again.
    static let subscriptionTime = Duration.seconds(30)

    /// How often a subscription is tried while connections end.
    private static let attempts = 3

    private struct Following {
        let number: Int
        let task: Task<Void, Never>
        var end: ContinuousClock.Instant
    }

    private let name: String
    private let socketPath: String
    private let route: Route
    private var client: PixelBoopClient?
    private var watch: Task<Void, Never>?
    private var followed: [Topic: Following] = [:]
    /// How many bytes the answers to the current message may still have while the place is not confirmed.
    private var allowance = 0
    private var lastNumber = 0

    /// - Parameters:
    ///   - name: The sender's name, for the daemon.
    ///   - route: How the sender is answered.
    init(name: String, socketPath: String, route: Route) {
        self.name = name
        self.socketPath = socketPath
        self.route = route
    }

    /// Carries out a message's request, and answers.
    func perform(_ received: Received) async {
        allowance = Route.amplification * received.size
        await route.challenge()
        do throws(OSCRequest.Refusal) {
            if let error = received.error { throw OSCRequest.Refusal(unreadable: received.message, error) }
            try await perform(OSCRequest(received.message))
        } catch {
            await answer(Answers.error(error.method, error.error), to: error.method)
        }
    }

    private func perform(_ request: OSCRequest) async {
        switch request {
        case .call(let method, let parameters):
            await attempt(method) { try await $0().call(method, parameters) }
        case .subscribe(let topics): await subscribe(to: topics)
        case .unsubscribe(let topics):
            for topic in topics { followed.removeValue(forKey: topic)?.task.cancel() }
            await answer(Answers.reply(Methods.unsubscribe.name, [:]), to: Methods.unsubscribe.name)
        case .namespace:
            guard route.isConfirmed else {
                return await answer(Answers.confirmationNeeded("namespace"), to: "namespace")
            }
            for message in Answers.namespace { await answer(message, to: "namespace") }
        case .replyTo(let port): await redirect(to: port)
        case .nothing: break
        }
    }

    private func attempt(
        _ method: String, _ work: (_ connect: () async throws -> PixelBoopClient) async throws -> JSONValue
    ) async {
        do {
            let result = try await work(connected)
            // A finger sends hundreds a second: only a refusal is worth an answer.
            if method != Methods.touch.name { await answer(Answers.reply(method, result), to: method) }
        } catch {
            await answer(Answers.error(method, error), to: method)
        }
    }

    private func answer(_ message: OSCMessage, to method: String) async {
        let bytes = message.bytes
        guard bytes.count <= route.longest else {
            let words = "the answer has \(bytes.count) bytes, but a packet at most \(route.longest); TCP allows more"
            return await answer(Answers.error(method, WireError(.internalError, words)), to: method)
        }
        guard !route.isConfirmed, bytes.count > allowance else {
            allowance -= bytes.count
            return await route.send(bytes)
        }
        let short = Answers.confirmationNeeded(method).bytes
        guard short.count <= allowance else { return }
        allowance -= short.count
        await route.send(short)
    }

    /// From now on answers and events go to another port: topics begin again there, if it may have them.
    private func redirect(to port: Int) async {
        do throws(WireError) {
            try route.redirect(to: port)
        } catch {
            return await answer(Answers.error("reply.to", error), to: "reply.to")
        }
        let former = followed
        for following in former.values { following.task.cancel() }
        followed = [:]
        await route.challenge()
        if route.isConfirmed, let client {
            for (topic, following) in former { try? await follow(topic, by: client, until: following.end) }
        }
        await answer(Answers.reply("reply.to", [:]), to: "reply.to")
    }

    // MARK: The connection

    /// The connection to the daemon, opened if necessary.
    private func connected() async throws -> PixelBoopClient {
        if let client {
            if client.isConnected { return client }
            end()
        }
        let client = try await PixelBoopClient.connect(to: socketPath)
        let welcome = try await client.call(Methods.hello, HelloCall(client: name, isRemote: true))
        guard welcome.isRemote else {
            client.close()
            throw ClientError.protocolViolation("it does not support remote clients")
        }
        // A subscription to no topics, which ends with the connection.
        let end = try await client.subscribe(to: [])
        self.client = client
        watch = Task { [weak self] in
            do { for try await _ in end {} } catch {}
            await self?.lose(client)
        }
        return client
    }

    private func lose(_ lost: PixelBoopClient) {
        guard client === lost else { return }
        end()
    }

    /// Ends the connection and its topics.
    func end() {
        for following in followed.values { following.task.cancel() }
        followed = [:]
        watch?.cancel()
        client?.close()
        client = nil
    }

    // MARK: Topics

    private func subscribe(to topics: [Topic]) async {
        guard route.isConfirmed else {
            return await answer(Answers.confirmationNeeded(Methods.subscribe.name), to: Methods.subscribe.name)
        }
        await attempt(Methods.subscribe.name) { connect in
            // Again if the connection ends meanwhile, and earlier topics with it.
            for _ in 1..<Self.attempts {
                do {
                    if try await self.followAll(topics, by: connect()) { return [:] }
                } catch ClientError.connectionLost {}
            }
            guard try await self.followAll(topics, by: connect()) else {
                throw ClientError.connectionLost(reason: "pixelboopd closes it again and again")
            }
            return [:]
        }
    }

    /// Follows topics; false if the connection has ended meanwhile.
    private func followAll(_ topics: [Topic], by client: PixelBoopClient) async throws -> Bool {
        let end = ContinuousClock.now + Self.subscriptionTime
        for topic in topics { try await follow(topic, by: client, until: end) }
        return client.isConnected && topics.allSatisfy { followed[$0] != nil }
    }

    private func follow(_ topic: Topic, by client: PixelBoopClient, until end: ContinuousClock.Instant) async throws {
        if followed[topic] != nil {
            followed[topic]?.end = end
            return
        }
        let events = try await client.subscribe(to: [topic])
        // The connection may have ended before the daemon's answer was read here.
        guard self.client === client else { return }
        lastNumber += 1
        let number = lastNumber
        let task = Task { [route, weak self] in
            var messages = EventMessages()
            do {
                for try await event in events where route.isConfirmed {
                    for message in messages.messages(for: event) { await route.send(message.bytes) }
                }
            } catch {}
            await self?.forget(topic, number)
        }
        followed[topic] = Following(number: number, task: task, end: end)
    }

    /// A topic's events have ended: when it is asked for again, it begins anew.
    private func forget(_ topic: Topic, _ number: Int) {
        if followed[topic]?.number == number { followed[topic] = nil }
    }

    /// Ends topics that were not asked for again.
    func expire(at now: ContinuousClock.Instant) {
        for (topic, following) in followed where following.end <= now {
            following.task.cancel()
            followed[topic] = nil
        }
    }
}

extension OSCRequest.Refusal {
    /// A message that cannot be read.
    fileprivate init(unreadable message: OSCMessage, _ error: OSCError) {
        let isOurs = message.address.hasPrefix(OSCRequest.prefix)
        self.init(
            method: isOurs ? OSCRequest.name(of: message.address) : message.address,
            error: WireError(.invalidRequest, error.words))
    }
}
