import CannedDaemon
import JSON
import OSC
import Synchronization
import TestSupport
import Testing
import Wire

@testable import OSCBridge

@Suite(.timeLimit(.minutes(1))) struct ConversationTests {
    @Test func `a topic is sent for thirty seconds after it was asked for, first or again`() async throws {
        let daemon = try await CannedDaemon.start()
        let called = Called()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let peer = try await daemon.welcome()
                while let call = try await peer.receive() {
                    called.methods.withLock { $0.append(call.method) }
                    let isHello = call.method == "hello"
                    let welcome = Welcome(version: "canned", isRemote: true)
                    try await peer.answer(call, .success(isHello ? .object(welcome.json) : [:]))
                }
            }
            let conversation = Conversation(name: "OSC", socketPath: daemon.path, longestAnswer: 65_536) { _ in }
            let subscription = OSCMessage("/pixelboop/subscribe", .string("step"))
            let asked = ContinuousClock.now
            await conversation.perform(subscription)
            await conversation.expire(at: asked + .seconds(30) - .nanoseconds(1))
            await conversation.perform(subscription)
            // To nothing, which ends with the connection, and to the steps.
            #expect(called.methods.withLock { $0 } == ["hello", "subscribe", "subscribe"])
            await conversation.expire(at: .now + .seconds(30))
            try await waitUntil { called.methods.withLock { $0.last } == "unsubscribe" }
            await conversation.end()
            try await group.waitForAll()
        }
    }
}

/// The methods that the daemon was asked for.
private final class Called: Sendable {
    let methods = Mutex<[String]>([])
}
