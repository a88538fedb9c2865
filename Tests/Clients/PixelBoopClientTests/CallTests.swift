import CannedDaemon
import Foundation
import JSON
import Synchronization
import Testing
import Wire

@testable import PixelBoopClient

/// Calls over the control socket.
@Suite(.timeLimit(.minutes(1)))
struct CallTests {
    private func connect(_ daemon: CannedDaemon) async throws -> (PixelBoopClient, CannedPeer) {
        async let client = PixelBoopClient.connect(to: daemon.path)
        let peer = try await daemon.welcome()
        return (try await client, peer)
    }

    @Test func `the daemon's welcome is known after connecting`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, _) = try await connect(daemon)
        #expect(client.welcome == Welcome(version: "canned"))
    }

    @Test func `every answer finds its call, in whatever order they come`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        try await withThrowingTaskGroup(of: (Int, JSONValue).self) { group in
            for number in 0..<50 {
                group.addTask { (number, try await client.call("echo", ["number": .integer(number)])) }
            }
            var calls: [Request] = []
            for _ in 0..<50 { calls.append(try #require(try await peer.receive())) }
            for call in calls.shuffled() {
                guard case .byName(let parameters) = call.parameters else { continue }
                try await peer.answer(call, .success(parameters["number"] ?? .null))
            }
            for try await (number, answer) in group { #expect(answer == .integer(number)) }
        }
    }

    @Test(arguments: [1, 7, 1000])
    func `it does not matter where the stream is split, nor how many lines arrive at once`(size: Int) async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        async let first = client.call("first")
        let firstCall = try #require(try await peer.receive())
        async let second = client.call("second")
        let secondCall = try #require(try await peer.receive())
        let answers: [UInt8] = [(firstCall, JSONValue.string("eins \u{1f39b}")), (secondCall, 2)].flatMap {
            call, value in
            Response.bytes(id: call.id ?? .null) { $0.appendJSON(value) } + [UInt8(ascii: "\n")]
        }
        for start in stride(from: 0, to: answers.count, by: size) {
            try await peer.send(Array(answers[start..<min(start + size, answers.count)]))
        }
        #expect(try await first == .string("eins \u{1f39b}"))
        #expect(try await second == 2)
    }

    @Test func `patterns travel typed, and are the same on the other side`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        var song = Pattern()
        song[.melody, 7, 4] = .accent
        song.name = "song"
        let pattern = song
        async let setting: Void = client.setPattern(pattern)
        let set = try #require(try await peer.receive())
        try await peer.answer(set, .success([:]))
        try await setting
        guard case .byName(let parameters) = set.parameters, let sent = parameters["pattern"] else {
            Issue.record("no pattern")
            return
        }
        async let getting = client.pattern()
        try await peer.answer(try #require(try await peer.receive()), .success(sent))
        #expect(try await getting == pattern)
    }

    @Test func `a refusal carries the daemon's code and words`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let answer = Task { try await client.setTempo(1000) }
        let call = try #require(try await peer.receive())
        let error = WireError(.invalidParams, "bpm: expected a number from 20 to 300, got 1000")
        try await peer.answer(call, .failure(error))
        await #expect(throws: ClientError.refused(error)) { try await answer.value }
    }

    @Test func `a line that the daemon could not read fails the calls that wait, and only those`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let calls = (0..<2).map { _ in Task { try await client.call("deep") } }
        for _ in calls { _ = try await peer.receive() }
        let error = WireError(.parseError, "Parse error")
        try await peer.send(Response.bytes(id: .null, error: error) + [UInt8(ascii: "\n")])
        for call in calls {
            await #expect(throws: ClientError.refused(error)) { try await call.value }
        }
        async let next = client.call("next")
        try await peer.answer(try #require(try await peer.receive()), .success(2))
        #expect(try await next == 2)
        // Nor is it why the connection ends later.
        let last = Task { try await client.call("last") }
        _ = try await peer.receive()
        try await peer.close()
        await #expect(throws: ClientError.connectionLost(reason: "the daemon closed it")) { try await last.value }
    }

    @Test func `a cancelled call ends at once, and its answer is ignored`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let cancelled = Task { try await client.call("slow") }
        let call = try #require(try await peer.receive())
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await peer.answer(call, .success(1))
        async let next = client.call("next")
        try await peer.answer(try #require(try await peer.receive()), .success(2))
        #expect(try await next == 2)
        #expect(client.connection.state.withLock { $0.calls.isEmpty })
    }

    @Test func `a call by an already cancelled task ends at once, too`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.call("never")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(client.connection.state.withLock { $0.calls.isEmpty })
        _ = peer
    }

    @Test func `when the connection is lost, all calls end with it, and so do later ones`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let calls = (0..<10).map { _ in Task { try await client.call("never") } }
        for _ in calls { _ = try await peer.receive() }
        try await peer.close()
        for call in calls {
            await #expect(throws: ClientError.connectionLost(reason: "the daemon closed it")) { try await call.value }
        }
        await #expect(throws: ClientError.connectionLost(reason: "the daemon closed it")) { try await client.ping() }
        await #expect(throws: ClientError.connectionLost(reason: "the daemon closed it")) {
            try await client.send(Touch(id: 1, .down, column: 4, row: 5))
        }
    }

    @Test func `the daemon's reason for ending is passed on`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let call = Task { try await client.call("never") }
        _ = try await peer.receive()
        try await peer.send(Bye(reason: "shutting down").line)
        try await peer.close()
        await #expect(throws: ClientError.connectionLost(reason: "shutting down")) { try await call.value }
    }

    @Test func `notifications leave in the order in which they were sent`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        for column in 4..<44 { try await client.send(Touch(id: 1, .move, column: column, row: 5)) }
        for column in 4..<44 {
            let call = try #require(try await peer.receive())
            #expect(call.isNotification)
            #expect(
                call.parameters
                    == .byName(["touch": 1, "phase": "move", "x": .number(Double(column) + 0.5), "y": 5.5]))
        }
    }

    @Test func `a connection closes when the client is released`() async throws {
        let daemon = try await CannedDaemon.start()
        let peer: CannedPeer
        do {
            let (client, accepted) = try await connect(daemon)
            #expect(client.path == daemon.path)
            peer = accepted
        }
        #expect(try await peer.receive() == nil)
    }

    @Test func `a call longer than the daemon reads is not sent`() async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let text = String(repeating: "x", count: ControlProtocol.maximumLineLength)
        await #expect(throws: ClientError.self) { try await client.call("long", ["text": .string(text)]) }
        async let next = client.call("short")
        let call = try #require(try await peer.receive())
        #expect(call.method == "short")
        try await peer.answer(call, .success([:]))
        #expect(try await next == [:])
    }

    @Test(arguments: ["what?", "[1]", "{\"jsonrpc\":\"2.0\",\"method\":\"frame\",\"params\":{}}", "{\"id\":1}"])
    func `a line that violates the protocol ends the connection with an explanation`(line: String) async throws {
        let daemon = try await CannedDaemon.start()
        let (client, peer) = try await connect(daemon)
        let call = Task { try await client.call("never") }
        _ = try await peer.receive()
        try await peer.send(line: line)
        let error = await #expect(throws: ClientError.self) { try await call.value }
        guard case .protocolViolation = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await peer.receive() == nil)
    }

    @Test func `an endless line is not collected`() async throws {
        let daemon = try await CannedDaemon.start()
        var options = PixelBoopClient.Options()
        options.maximumLineLength = 1000
        async let connecting = PixelBoopClient.connect(to: daemon.path, options: options)
        let peer = try await daemon.welcome()
        let client = try await connecting
        let call = Task { try await client.call("never") }
        _ = try await peer.receive()
        try await peer.send([UInt8](repeating: UInt8(ascii: "x"), count: 1001))
        await #expect(throws: ClientError.protocolViolation("a line of more than 1000 bytes")) { try await call.value }
    }
}
