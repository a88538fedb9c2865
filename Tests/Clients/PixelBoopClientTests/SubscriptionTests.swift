import CannedDaemon
import Grid
import Instrument
import JSON
import Synchronization
import TestSupport
import Testing
import Wire

@testable import PixelBoopClient

@Suite(.timeLimit(.minutes(1)))
struct SubscriptionTests {
    /// A client's subscription, and the server's end of its connection.
    private func subscribe(
        to topics: Set<Topic>, answering reply: SubscribeReply, _ daemon: CannedDaemon
    ) async throws -> (Subscription, CannedPeer) {
        async let connecting = PixelBoopClient.connect(to: daemon.path)
        let peer = try await daemon.welcome()
        let client = try await connecting
        async let subscribing = client.subscribe(to: topics, maximumFrameRate: 30)
        try await answer(peer, reply)
        return (try await subscribing, peer)
    }

    private func answer(_ peer: CannedPeer, _ reply: SubscribeReply) async throws {
        let call = try #require(try await peer.receive())
        #expect(call.method == "subscribe")
        try await peer.answer(call, .success(.object(reply.json)))
    }

    private func colored(_ sequence: Int, _ color: Color, cell: Int) -> FrameUpdate {
        FrameUpdate(
            sequence: sequence, base: sequence - 1,
            changes: [.init(index: cell, value: color.rgb)])
    }

    @Test func `the first picture is the key frame; diffs change it`() async throws {
        let daemon = try await CannedDaemon.start()
        let (subscription, peer) = try await subscribe(
            to: [.frame], answering: SubscribeReply(frame: KeyFrame(sequence: 7, frame: Frame())), daemon)
        var events = subscription.makeAsyncIterator()
        #expect(try await events.next() == .frame(KeyFrame(sequence: 7, frame: Frame())))
        try await peer.send(colored(8, .white, cell: 45).line)
        var frame = Frame()
        frame[1, 1] = .white
        #expect(try await events.next() == .frame(KeyFrame(sequence: 8, frame: frame)))
    }

    @Test func `after a gap a new key frame is requested, and diffs until then are ignored`() async throws {
        let daemon = try await CannedDaemon.start()
        let (subscription, peer) = try await subscribe(
            to: [.frame], answering: SubscribeReply(frame: KeyFrame(sequence: 7, frame: Frame())), daemon)
        var events = subscription.makeAsyncIterator()
        _ = try await events.next()
        try await peer.send(colored(9, .white, cell: 0).line)
        try await peer.send(colored(10, .white, cell: 1).line)
        let call = try #require(try await peer.receive())
        #expect(call.method == "subscribe")
        #expect(call.parameters == .byName(["topics": ["frame"], "maxFps": 30]))
        let red = KeyFrame(sequence: 11, frame: Frame(filledWith: Color(0xff0000)))
        try await peer.answer(call, .success(.object(SubscribeReply(frame: red).json)))
        #expect(try await events.next() == .frame(red))
        try await peer.send(colored(12, .white, cell: 1055).line)
        var frame = red.frame
        frame[43, 23] = .white
        #expect(try await events.next() == .frame(KeyFrame(sequence: 12, frame: frame)))
    }

    @Test func `states are whole, patches applied, unknown members kept`() async throws {
        let daemon = try await CannedDaemon.start()
        var json = InstrumentState().json
        json["future"] = ["a": 1, "b": 2]
        let (subscription, peer) = try await subscribe(
            to: [.state], answering: SubscribeReply(state: .object(json)), daemon)
        var events = subscription.makeAsyncIterator()
        guard case .state(let first) = try await events.next() else {
            Issue.record("expected a state")
            return
        }
        #expect(first.state == InstrumentState())
        try await peer.send(DaemonNotification.stateLine(patch: ["bpm": 127.3, "future": ["a": .null]]))
        guard case .state(let second) = try await events.next() else {
            Issue.record("expected a state")
            return
        }
        #expect(second.state.bpm == 127.3)
        #expect(second.state.scale == .major)
        #expect(second.json.objectValue?["future"] == ["b": 2])
    }

    @Test func `a slow subscriber gets the newest picture and a bounded number of events`() async throws {
        let daemon = try await CannedDaemon.start()
        let (subscription, peer) = try await subscribe(
            to: [.frame, .step], answering: SubscribeReply(frame: KeyFrame(sequence: 0, frame: Frame())), daemon)
        for number in 1...1000 {
            try await peer.send(colored(number, Color(UInt32(number)), cell: 0).line)
            try await peer.send(StepEvent(step: number % 32, frame: Int64(number), usecs: 0).line)
        }
        // Everything has arrived when the answer to a later call has.
        async let answer = subscription.client.call("ping")
        try await peer.answer(try #require(try await peer.receive()), .success([:]))
        _ = try await answer
        var events = subscription.makeAsyncIterator()
        guard case .frame(let picture) = try await events.next() else {
            Issue.record("expected the picture")
            return
        }
        #expect(picture.sequence == 1000)
        #expect(picture.frame[0, 0] == Color(1000))
        for number in (1000 - EventQueue.capacity + 1)...1000 {
            #expect(try await events.next() == .step(StepEvent(step: number % 32, frame: Int64(number), usecs: 0)))
        }
        #expect(subscription.dropped == 1000 - EventQueue.capacity)
    }

    @Test func `state, picture and labels also reach a reader that is slower than the steps`() throws {
        var queue = EventQueue()
        let state = try StateSnapshot(.object(InstrumentState().json))
        var topics: [Topic?] = []
        for number in 0..<8 {
            queue.append(.state(state))
            queue.append(.frame(KeyFrame(sequence: number, frame: Frame())))
            queue.append(.labels(Labels()))
            for _ in 0..<2 { queue.append(.step(StepEvent(step: number, frame: 0, usecs: 0))) }
            let event = queue.next()
            topics.append(event?.topic)
        }
        #expect(topics == [.state, .frame, .labels, .step, .state, .frame, .labels, .step])
    }

    @Test func `a subscriber gets only its own topics, and unused topics are unsubscribed`() async throws {
        let daemon = try await CannedDaemon.start()
        let (first, peer) = try await subscribe(to: [.step, .tooltip], answering: SubscribeReply(), daemon)
        async let subscribing = first.client.subscribe(to: [.step])
        try await answer(peer, SubscribeReply())
        let second = try await subscribing
        try await peer.send(TooltipEvent(text: "ERASE", row: 4, milliseconds: 1200).line)
        try await peer.send(StepEvent(step: 1, frame: 2, usecs: 3).line)
        var firstEvents = first.makeAsyncIterator()
        var secondEvents = second.makeAsyncIterator()
        #expect(try await firstEvents.next() == .tooltip(TooltipEvent(text: "ERASE", row: 4, milliseconds: 1200)))
        #expect(try await firstEvents.next() == .step(StepEvent(step: 1, frame: 2, usecs: 3)))
        #expect(try await secondEvents.next() == .step(StepEvent(step: 1, frame: 2, usecs: 3)))
        first.cancel()
        #expect(try await firstEvents.next() == nil)
        #expect(try await peer.receive()?.parameters == .byName(["topics": ["tooltip"]]))
        second.cancel()
        #expect(try await peer.receive()?.parameters == .byName(["topics": ["step"]]))
    }

    @Test func `a subscription that is cancelled and released unsubscribes once`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await {
            let (subscription, peer) = try await subscribe(to: [.step], answering: SubscribeReply(), daemon)
            subscription.cancel()
            return (subscription.client, peer)
        }()
        #expect(try await peer.receive()?.method == "unsubscribe")
        async let calling: Void = client.ping()
        let call = try #require(try await peer.receive())
        #expect(call.method == "ping")
        try await peer.answer(call, .success([:]))
        try await calling
    }

    @Test func `a subscription ends with the connection, after the goodbye`() async throws {
        let daemon = try await CannedDaemon.start()
        let (subscription, peer) = try await subscribe(to: [.step], answering: SubscribeReply(), daemon)
        try await peer.send(Bye(reason: "shutting down").line)
        try await peer.close()
        var events = subscription.makeAsyncIterator()
        #expect(try await events.next() == .bye(Bye(reason: "shutting down")))
        await #expect(throws: ClientError.connectionLost(reason: "shutting down")) { try await events.next() }
    }

    @Test func `waiting for an event ends when the task is cancelled`() async throws {
        let daemon = try await CannedDaemon.start()
        let (subscription, peer) = try await subscribe(to: [.step], answering: SubscribeReply(), daemon)
        let waiting = Task {
            var count = 0
            for try await _ in subscription {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        try await peer.send(StepEvent(step: 1, frame: 2, usecs: 3).line)
        #expect(try await waiting.value == 1)
        var events = subscription.makeAsyncIterator()
        try await peer.send(StepEvent(step: 2, frame: 2, usecs: 3).line)
        #expect(try await events.next() == .step(StepEvent(step: 2, frame: 2, usecs: 3)))
    }

    @Test func `a subscription that is cancelled while its answer is read leaves nothing behind`() async throws {
        let frame = KeyFrame(sequence: 0, frame: Frame())
        let reply = SubscribeReply(frame: frame, state: .object(InstrumentState().json))
        let response = Response(id: .integer(1), result: .success(.object(reply.json)))
        let line = JSONValue.object(response.json).bytes
        let connection = ClientConnection()
        let feed = Feed(topics: [.frame, .state])
        connection.state.withLock { $0.subscribing[1] = .init(feed: feed) }
        async let reading: Void = connection.receive(line: line)
        try await waitUntil { connection.state.withLock { $0.subscribing[1] == nil } }
        connection.remove(feed)
        try await reading
        #expect(connection.state.withLock { $0.feeds.isEmpty && $0.subscribing.isEmpty })
    }

    @Test func `a refused subscription leaves nothing behind`() async throws {
        let daemon = try await CannedDaemon.start()
        async let connecting = PixelBoopClient.connect(to: daemon.path)
        let peer = try await daemon.welcome()
        let client = try await connecting
        let subscribing = Task { try await client.subscribe(to: [.frame], maximumFrameRate: 1000) }
        let error = WireError(.invalidParams, "maxFps: expected an integer from 1 to 240, got 1000")
        try await peer.answer(try #require(try await peer.receive()), .failure(error))
        await #expect(throws: ClientError.refused(error)) { _ = try await subscribing.value }
        #expect(client.connection.state.withLock { $0.feeds.isEmpty && $0.subscribing.isEmpty })
    }
}
