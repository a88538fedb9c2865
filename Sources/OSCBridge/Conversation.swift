import JSON
import OSC
import PixelBoopClient
import Wire

/// One sender's conversation with the daemon, over its own connection.
actor Conversation {
    /// How long a sender receives a topic before it has to ask again.
    static let subscriptionTime = Duration.seconds(30)

    private struct Following {
        let task: Task<Void, Never>
        var end: ContinuousClock.Instant
    }

    private let name: String
    private let socketPath: String
    private let longestAnswer: Int
    private let send: @Sendable ([UInt8]) async -> Void
    private var client: PixelBoopClient?
    private var watch: Task<Void, Never>?
    private var followed: [Topic: Following] = [:]

    /// - Parameters:
    ///   - name: The sender's name, for the daemon.
    ///   - longestAnswer: The most bytes that the sender accepts in a packet.
    ///   - send: Sends a packet, and returns when there is room for the next.
    init(
        name: String, socketPath: String, longestAnswer: Int, send: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        self.name = name
        self.socketPath = socketPath
        self.longestAnswer = longestAnswer
        self.send = send
    }

    /// Carries out a message's request, and answers.
    func perform(_ message: OSCMessage) async {
        do {
            try await perform(OSCRequest(message))
        } catch {
            await answer(Answers.error(error.method, error.error), to: error.method)
        }
    }

    private func perform(_ request: OSCRequest) async {
        switch request {
        case .call(let method, let parameters):
            await attempt(method) { try await $0.call(method, parameters) }
        case .subscribe(let topics):
            await attempt(Methods.subscribe.name) { client in
                for topic in topics { try await self.follow(topic, by: client) }
                return [:]
            }
        case .unsubscribe(let topics):
            for topic in topics { followed.removeValue(forKey: topic)?.task.cancel() }
            await answer(Answers.reply(Methods.unsubscribe.name, [:]), to: Methods.unsubscribe.name)
        case .namespace:
            for message in Answers.namespace { await answer(message, to: "namespace") }
        }
    }

    private func attempt(_ method: String, _ work: (PixelBoopClient) async throws -> JSONValue) async {
        do {
            let result = try await work(connected())
            // A finger sends hundreds a second: only a refusal is worth an answer.
            if method != Methods.touch.name { await answer(Answers.reply(method, result), to: method) }
        } catch {
            await answer(Answers.error(method, error), to: method)
        }
    }

    private func answer(_ message: OSCMessage, to method: String) async {
        let bytes = message.bytes
        guard bytes.count > longestAnswer else { return await send(bytes) }
        let words = "the answer has \(bytes.count) bytes, but a packet at most \(longestAnswer); TCP allows more"
        await send(Answers.error(method, WireError(.internalError, words)).bytes)
    }

    // MARK: The connection

    /// The connection to the daemon, opened if necessary.
    private func connected() async throws -> PixelBoopClient {
        if let client {
            if client.isConnected { return client }
            end()
        }
        let client = try await PixelBoopClient.connect(to: socketPath)
        let welcome = try await client.call(Methods.hello, (name, nil, true, nil))
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

    private func follow(_ topic: Topic, by client: PixelBoopClient) async throws {
        let end = ContinuousClock.now + Self.subscriptionTime
        if followed[topic] != nil {
            followed[topic]?.end = end
            return
        }
        let events = try await client.subscribe(to: [topic])
        let task = Task { [send] in
            var messages = EventMessages()
            do {
                for try await event in events {
                    for message in messages.messages(for: event) { await send(message.bytes) }
                }
            } catch {}
        }
        followed[topic] = Following(task: task, end: end)
    }

    /// Ends topics that were not asked for again.
    func expire(at now: ContinuousClock.Instant) {
        for (topic, following) in followed where following.end <= now {
            following.task.cancel()
            followed[topic] = nil
        }
    }
}
