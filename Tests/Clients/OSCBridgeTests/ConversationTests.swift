import CannedDaemon
import Configuration
import JSON
import OSC
import Synchronization
import TestSupport
import Testing
import Wire

@testable import OSCBridge

@Suite(.timeLimit(.minutes(1))) struct ConversationTests {
    private let step = OSCMessage("/pixelboop/subscribe", .string("step"))

    /// A conversation with a sender on this machine or another, and what that sender gets.
    private func conversation(
        at path: String, with address: String = "127.0.0.1", _ destinations: Destinations = Destinations()
    ) -> (OSCConversation, Sent) {
        let sent = Sent()
        let reply = SenderTable.Reply(longest: 65_507) { bytes, port in
            guard case .message(let message)? = try? OSCPacket(decoding: bytes) else { return }
            sent.messages.withLock { $0.append((message, port)) }
        }
        let route = Route(to: OSCPeer(.udp, address, port: 5000), reply, destinations)
        return (OSCConversation(name: "OSC", socketPath: path, route: route), sent)
    }

    /// The answers to all calls: the welcome, or nothing.
    private func answer(_ call: Request, of peer: CannedPeer) async throws {
        let welcome = Welcome(version: "canned", isRemote: true)
        try await peer.answer(call, .success(call.method == "hello" ? .object(welcome.json) : [:]))
    }

    @Test func `a topic is sent for thirty seconds after it was asked for, first or again`() async throws {
        let daemon = try await CannedDaemon.start()
        let called = Called()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let peer = try await daemon.welcome()
                while let call = try await peer.receive() {
                    called.methods.withLock { $0.append(call.method) }
                    try await answer(call, of: peer)
                }
            }
            let (conversation, _) = conversation(at: daemon.path)
            let asked = ContinuousClock.now
            await conversation.perform(Received(step))
            await conversation.expire(at: asked + .seconds(30) - .nanoseconds(1))
            await conversation.perform(Received(step))
            // To nothing, which ends with the connection, and to the steps.
            #expect(called.methods.withLock { $0 } == ["hello", "subscribe", "subscribe"])
            await conversation.expire(at: .now + .seconds(30))
            try await waitUntil { called.methods.withLock { $0.last } == "unsubscribe" }
            await conversation.end()
            try await group.waitForAll()
        }
    }

    @Test func `topics come back whose connection ends in the middle of their renewal`() async throws {
        let daemon = try await CannedDaemon.start()
        try await withThrowingTaskGroup(of: [JSONValue].self) { group in
            group.addTask {
                let first = try await daemon.welcome()
                // Hello, nothing, the steps; then the state.
                for _ in 0..<3 { try await answer(try #require(await first.receive()), of: first) }
                _ = try await first.receive()
                try await first.close()
                let second = try await daemon.welcome()
                var topics: [JSONValue] = []
                while let call = try await second.receive() {
                    if call.method == "subscribe", case .byName(let values) = call.parameters {
                        topics.append(values["topics"] ?? .null)
                    }
                    try await answer(call, of: second)
                }
                return topics
            }
            let (conversation, sent) = conversation(at: daemon.path)
            await conversation.perform(Received(step))
            await conversation.perform(
                Received(OSCMessage("/pixelboop/subscribe", .string("step"), .string("state"))))
            #expect(sent.texts == ["5000 reply subscribe {}", "5000 reply subscribe {}"])
            await conversation.end()
            let topics = try await group.next()
            #expect(topics == [[], ["step"], ["state"]])
        }
    }

    @Test func `answers go to the port that the sender names`() async throws {
        let destinations = Destinations()
        destinations.exclude(9044)
        let (conversation, sent) = conversation(at: "/nowhere", destinations)
        await conversation.perform(Received(OSCMessage("/pixelboop/reply/to", .integer(9000))))
        await conversation.perform(Received(OSCMessage("/pixelboop/reply/to", .integer(9044))))
        await conversation.perform(Received(OSCMessage("/pixelboop/reply/to", .integer(80))))
        // Also when the sender was forgotten meanwhile.
        let (later, answers) = self.conversation(at: "/nowhere", destinations)
        await later.perform(Received(OSCMessage("/pixelboop/nothing")))
        #expect(
            sent.texts == [
                "9000 reply reply.to {}", "9000 error reply.to -32602 port: 9044 is the bridge's own",
                "9000 error reply.to -32602 port: expected one number from 1024 to 65535",
            ])
        #expect(answers.texts.map { $0.prefix(18) } == ["9000 error nothing"])
    }

    @Test func `an element of unknown type is answered with an error`() async throws {
        let (conversation, sent) = conversation(at: "/nowhere")
        await conversation.perform(
            Received(OSCUnreadable(address: "/pixelboop/tempo/set", error: .unknownType("N"), size: 28)))
        #expect(sent.texts == ["5000 error tempo.set -32600 type N is not supported: i f s h d T F are"])
    }

    @Test func `the release of a button is not answered`() async throws {
        let (conversation, sent) = conversation(at: "/nowhere")
        await conversation.perform(Received(OSCMessage("/pixelboop/transport/toggle", .float(0))))
        #expect(sent.texts.isEmpty)
    }

    private static let requests = [
        OSCMessage("/pixelboop/subscribe", .string("step"), .string("frame")), OSCMessage("/pixelboop/namespace"),
        OSCMessage("/pixelboop/state/get"), OSCMessage("/pixelboop/nothing"), OSCMessage("/a"),
        OSCMessage("/pixelboop/ping"), OSCMessage("/pixelboop/track/set", .string("bass"), .string("pan")),
        OSCMessage("/pixelboop/reply/to", .integer(9000)),
        OSCMessage("/pixelboop/subscribe", .string("weather")), OSCMessage("/pixelboop/touch", .integer(1)),
    ]

    @Test(arguments: requests)
    func `a place that is not confirmed gets no answer over three times the size of its request`(
        message: OSCMessage
    ) async throws {
        let daemon = try await CannedDaemon.start()
        let long = JSONValue.string(String(repeating: "x", count: 5000))
        let welcome = JSONValue.object(Welcome(version: "canned", isRemote: true).json)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let peer = try? await daemon.welcome() {
                    while let call = try? await peer.receive() {
                        try await peer.answer(call, .success(call.method == "hello" ? welcome : long))
                    }
                }
            }
            let (conversation, sent) = conversation(at: daemon.path, with: "10.0.0.2")
            for _ in 0..<3 { await conversation.perform(Received(message)) }
            let (confirmations, answers) = sent.confirmationsAndAnswers
            #expect(!confirmations.isEmpty)
            #expect(answers.reduce(0) { $0 + $1.bytes.count } <= 3 * 3 * message.bytes.count)
            #expect(answers.allSatisfy { $0.bytes.count <= 3 * message.bytes.count })
            await conversation.end()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `a place that confirms itself may subscribe`() async throws {
        let daemon = try await CannedDaemon.start()
        let welcome = JSONValue.object(Welcome(version: "canned", isRemote: true).json)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let peer = try await daemon.welcome()
                while let call = try await peer.receive() {
                    try await peer.answer(call, .success(call.method == "hello" ? welcome : [:]))
                }
            }
            let destinations = Destinations()
            let (conversation, sent) = conversation(at: daemon.path, with: "10.0.0.2", destinations)
            await conversation.perform(Received(step))
            #expect(sent.texts.last == "5000 error subscribe -32099 confirm yourself first")
            let number = try #require(sent.confirmationsAndAnswers.0.first?.arguments.first?.int)
            destinations.confirm(Int32(number), from: OSCPeer(.udp, "10.0.0.2", port: 6000))
            await conversation.perform(Received(step))
            #expect(sent.texts.last == "5000 reply subscribe {}")
            await conversation.end()
            try await group.waitForAll()
        }
    }
}

/// The methods that the daemon was asked for.
private final class Called: Sendable {
    let methods = Mutex<[String]>([])
}

/// What a sender was sent, and where.
private final class Sent: Sendable {
    let messages = Mutex<[(OSCMessage, Int)]>([])

    /// `9000 reply ping {}`
    var texts: [String] {
        messages.withLock { messages in
            messages.map { message, port in
                let values = message.arguments.map { $0.text ?? "\($0.int ?? 0)" }
                return (["\(port)", String(message.address.dropFirst("/pixelboop/".count))] + values)
                    .joined(separator: " ")
            }
        }
    }

    var confirmationsAndAnswers: ([OSCMessage], [OSCMessage]) {
        let all = messages.withLock { $0.map(\.0) }
        let isConfirmation = { (message: OSCMessage) in message.address == "/pixelboop/confirm" }
        return (all.filter(isConfirmation), all.filter { !isConfirmation($0) })
    }
}
