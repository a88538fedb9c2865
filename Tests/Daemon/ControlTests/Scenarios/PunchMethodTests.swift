import Control
import ControlTestSupport
import Instrument
import JSON
import Music
import Session
import TestSupport
import Testing
import Wire

/// Punch-ins over the socket.
@Suite(.timeLimit(.minutes(1))) struct PunchMethodTests {
    private static let all: JSONValue = ["melody", "chords", "bass", "rhythm"]

    @Test(arguments: Reach.allCases)
    func `a call holds an effect until it is ended, and subscribers are told`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (client, watcher) = (try await server.client(), try await server.client())
            #expect(try await watcher.call("subscribe", ["topics": ["punch"]]) == [:])
            #expect(try await client.call("punch.set", ["effect": "throw", "amount": 0.25]) == ["held": true])
            var event = try await watcher.next(PunchEvent.self)
            #expect(event.json == ["effect": "throw", "amount": 0.25, "tracks": Self.all])
            try await client.call("punch.set", ["effect": "throw", "amount": 1, "tracks": ["rhythm", "bass"]])
            event = try await watcher.next()
            #expect(event.json == ["effect": "throw", "amount": 1, "tracks": ["bass", "rhythm"]])
            #expect(try await client.call("punch.end", ["effect": "throw"]) == [:])
            event = try await watcher.next()
            #expect(event.json == ["effect": "throw"])
            #expect(try await client.call("punch.end", ["effect": "throw"]) == [:])
            // It is no part of the state.
            #expect(try await client.call("state.get").objectValue?["punch"] == nil)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a newer connection takes an effect over; the older must end it before it holds it again`(
        reach: Reach
    ) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (first, second) = (try await server.client(), try await server.client())
            let call: JSONObject = ["effect": "filter", "amount": 0.25]
            #expect(try await first.call("punch.set", call) == ["held": true])
            #expect(try await second.call("punch.set", call) == ["held": true])
            #expect(try await first.call("punch.set", call) == ["held": false])
            try await second.call("punch.end", ["effect": "filter"])
            #expect(try await first.call("punch.set", call) == ["held": false])
            try await first.call("punch.end", ["effect": "filter"])
            #expect(try await first.call("punch.set", call) == ["held": true])
        }
    }

    @Test(arguments: Reach.allCases)
    func `the connection's end lets go`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (client, watcher) = (try await server.client(), try await server.client())
            try await watcher.call("subscribe", ["topics": ["punch"]])
            try await client.call("punch.set", ["effect": "throw", "amount": 0.25])
            await client.transport.close()
            #expect(try await watcher.next(PunchEvent.self).isHeld)
            #expect(try await watcher.next(PunchEvent.self) == PunchEvent(effect: .throw))
        }
    }

    @Test func `a finger on the overview is reported like a call`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            try await client.call("transport.play")
            try await client.call("subscribe", ["topics": ["punch", "tooltip", "haptic"]])
            /// Topics arrive in any order.
            func news(_ count: Int) async throws -> (TooltipEvent?, PunchEvent?, HapticEvent?) {
                var news: [DaemonNotification] = []
                for _ in 0..<count { news.append(try await client.notification()) }
                return (
                    news.lazy.compactMap { $0.message() }.first, news.lazy.compactMap { $0.message() }.first,
                    news.lazy.compactMap { $0.message() }.first
                )
            }
            try await client.touch("down", 5, 23)
            let (text, event, haptic) = try await news(3)
            #expect(text == TooltipEvent(text: "STUT 1/8D", row: 16, milliseconds: nil))
            #expect(event == PunchEvent(effect: .stutter, amount: 1.5 / 8, tracks: [.rhythm]))
            #expect(haptic?.style == "medium")
            try await client.touch("up", 5, 23)
            let (later, end, _) = try await news(2)
            #expect(later?.milliseconds == 1200 && end == PunchEvent(effect: .stutter))
        }
    }

    @Test func `what a remote client holds ends with its silence`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let (client, watcher) = (try await server.client(), try await server.client())
            try await client.call("hello", ["remote": true])
            try await watcher.call("subscribe", ["topics": ["punch"]])
            try await client.call("punch.set", ["effect": "throw", "amount": 0.25])
            let began = ControlClock.now
            #expect(try await watcher.next(PunchEvent.self).isHeld)
            #expect(try await watcher.next(PunchEvent.self) == PunchEvent(effect: .throw))
            #expect(ControlClock.now - began >= .milliseconds(1900))
            // It lives after all, and begins anew.
            #expect(try await client.call("punch.set", ["effect": "throw", "amount": 0.5]) == ["held": true])
        }
    }

    @Test func `while nothing plays STUTTER and BRAKE hold nothing`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            for (effect, isHeld) in [("stutter", false), ("filter", true), ("brake", false), ("throw", true)] {
                let call: JSONObject = ["effect": .string(effect), "amount": 0.5]
                #expect(try await client.call("punch.set", call) == ["held": .bool(isHeld)])
            }
        }
    }

    @Test(
        arguments: [
            (["effect": "echo", "amount": 0], "effect: expected one of stutter, filter, brake, throw"),
            (["effect": "brake"], "amount: expected a number from 0 to 1, got nothing"),
            (["effect": "brake", "amount": 1.01], "amount: expected a number from 0 to 1, got 1.01"),
            (["effect": "brake", "amount": 1, "tracks": []], "tracks: expected an array"),
            (["effect": "brake", "amount": 1, "tracks": ["bass", "bass"]], "tracks: expected an array of different"),
            (
                ["effect": "brake", "amount": 1, "tracks": ["drums"]],
                "tracks: expected an array of different tracks: melody, chords"
            ),
        ] as [(JSONObject, String)])
    func `what makes no sense is refused`(parameters: JSONObject, words: String) async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let error = try await server.client().refusal("punch.set", parameters)
            #expect(error?.code == .invalidParams && error?.message.hasPrefix(words) == true, "\(error as Any)")
        }
    }

    @Test func `without a driver nothing is held, and everything ended`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            #expect(try await client.refusal("punch.set", ["effect": "throw", "amount": 1])?.code == .noAudio)
            #expect(try await client.call("punch.end", ["effect": "throw"]) == [:])
        }
    }
}
