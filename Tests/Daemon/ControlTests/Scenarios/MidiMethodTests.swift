import Control
import ControlTestSupport
import Engine
import Instrument
import JSON
import Music
import OfflineAudio
import Session
import TestSupport
import Testing
import Wire

/// Binding, refusals and learning.
@Suite(.timeLimit(.minutes(1))) struct MidiMethodTests {
    private static let knob: JSONValue = ["type": "cc", "channel": 3, "number": 74]

    @Test(arguments: Reach.allCases)
    func `a binding is listed and removed again`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let action: JSONValue = ["method": "track.set", "params": ["track": "bass"], "value": "tone"]
            #expect(try await client.call("midi.bind", ["on": Self.knob, "to": action]) == [:])
            let listed = try await client.call("midi.bindings").objectValue?["bindings"]?.arrayValue
            #expect(listed?.count == 17)
            #expect(listed?.last == ["on": Self.knob, "to": action])
            #expect(try await client.call("midi.unbind", ["on": Self.knob]) == [:])
            #expect(try await client.refusal("midi.unbind", ["on": Self.knob])?.code == .notFound)
        }
    }

    @Test(
        arguments: [
            (["method": "library.delete", "params": ["name": "x"]], "to.method"),
            (["method": "\u{1b}[31m", "params": [:]], #"got "\u001b[31m""#),
            (
                ["method": "track.set", "params": ["track": "bass"], "value": "\u{7}"],
                #"expected a parameter of track.set that has a range, got "\u0007""#
            ),
            (["method": "track.set", "params": ["track": "bass"], "value": "nothing"], "to.value"),
            (["method": "track.set", "params": [:], "value": "tempo"], "to.value"),
            (["method": "slot.launch", "params": ["track": "bass"]], "slot"),
            (
                ["method": "fill.set", "params": ["on": true, "x": "y"]],
                #"to.params: expected only parameters of fill.set (on), got "x""#
            ),
            (
                ["method": "history.undo", "params": ["x": 1]],
                #"to.params: expected none, as history.undo has no parameters, got "x""#
            ),
            (["method": "sync.set", "params": ["lead": ["midi", "midi"]]], "to.params.lead: the same name"),
        ] as [(JSONValue, String)])
    func `an invalid call is not bound`(action: JSONValue, words: String) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let error = try await client.refusal("midi.bind", ["on": Self.knob, "to": action])
            #expect(error?.code == .invalidParams && error?.message.contains(words) == true)
            #expect(try await client.refusal("midi.learn", ["to": action]) == error)
        }
    }

    // MARK: Playing

    private func connectKeyboard(_ server: TestServer) async {
        await server.session.audioChanged(
            to: AudioState(status: .running, rate: 48_000, period: 64), connections: ["midi_in": ["b:out", "a:out"]],
            at: ControlClock.now)
    }

    /// Delivers messages at the port `midi_in`.
    private func receive(_ messages: [[UInt8]], _ driver: OfflineDriver) {
        for bytes in messages {
            let event = MidiEvent(
                frame: 0, count: UInt8(bytes.count), bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0)
            driver.receive(event, at: driver.frame)
        }
        driver.render(frames: 64) { _ in }
    }

    /// Waits until the state matches, up to the suite's time limit.
    private func wait(_ client: TestClient, for matches: (InstrumentState) -> Bool) async throws {
        try await waitUntil { matches(try InstrumentState(json: try await client.call("state.get"))) }
    }

    @Test(arguments: Reach.allCases)
    func `the next controller moved is learned, reported to the client that asked, and works from then on`(
        reach: Reach
    ) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (client, other) = (try await server.client(), try await server.client())
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            await connectKeyboard(server)
            for client in [client, other] { try await client.call("subscribe", ["topics": ["midi"]]) }
            let action: JSONValue = ["method": "track.set", "params": ["track": "bass"], "value": "tone"]
            #expect(try await client.call("midi.learn", ["to": action]) == [:])
            // The second message uses the binding that the first one taught.
            receive([[0xb2, 74, 3], [0xb2, 74, 127]], driver)
            var news = try await client.next(MidiNews.self)
            while news.learned == nil { news = try await client.next() }
            guard case .binding(let binding) = news.learned else {
                Issue.record("nothing was learned")
                return
            }
            #expect(binding.trigger == MidiTrigger(.controller, channel: 3, number: 74))
            try await wait(other) { $0.settings[.tone, .bass] == 24 }
            // Others see the messages, but not the lesson.
            for value: UInt8 in [3, 127] {
                let arrival = try await other.next(MidiNews.self)
                #expect(arrival.arrival?.bytes == [0xb2, 74, value] && arrival.learned == nil)
            }
        }
    }

    @Test(arguments: Reach.allCases, [true, false])
    func `the lesson of a client that is gone or has unsubscribed does not bind the next key`(
        reach: Reach, isGone: Bool
    ) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let (learner, other) = (try await server.client(), try await server.client())
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            await connectKeyboard(server)
            for client in [learner, other] { try await client.call("subscribe", ["topics": ["midi"]]) }
            let before = try await other.call("midi.bindings")
            #expect(try await learner.call("midi.learn", ["to": ["method": "transport.stop"]]) == [:])
            if isGone {
                await learner.transport.close()
                try await other.untilAlone()
            } else {
                try await learner.call("unsubscribe", ["topics": ["midi"]])
            }
            receive([[0x92, 60, 100]], driver)
            // Once others get the message, any binding has been made.
            #expect(try await other.next(MidiNews.self).arrival?.bytes == [0x92, 60, 100])
            #expect(try await other.call("midi.bindings") == before)
        }
    }

    @Test func `a lesson outlives the end of other subscriptions, and one right after another ended is learned`()
        async throws
    {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            await connectKeyboard(server)
            for method in ["transport.stop", "transport.play"] {
                try await client.call("subscribe", ["topics": ["midi", "step"]])
                #expect(try await client.call("midi.learn", ["to": ["method": .string(method)]]) == [:])
                if method == "transport.stop" { try await client.call("unsubscribe", ["topics": ["midi"]]) }
            }
            try await client.call("unsubscribe", ["topics": ["step"]])
            receive([[0x92, 60, 100]], driver)
            var news = try await client.next(MidiNews.self)
            while news.learned == nil { news = try await client.next() }
            let key = MidiTrigger(.note, channel: 3, number: 60)
            #expect(news.learned == .binding(MidiBinding(on: key, to: MidiAction("transport.play"))))
        }
    }

    @Test func `a pedal holds FILL from 64 on`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            await connectKeyboard(server)
            try await client.call("midi.bind", ["on": Self.knob, "to": ["method": "fill.set", "value": "on"]])
            for (position, isOn) in [(64, true), (63, false), (127, true)] as [(UInt8, Bool)] {
                receive([[0xb2, 74, position]], driver)
                try await wait(client) { $0.isFilling == isOn }
            }
        }
    }

    @Test func `a key and a knob hold a punch-in until they are released`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            await connectKeyboard(server)
            let key: JSONValue = ["type": "note", "channel": 3, "number": 60]
            let reverb: JSONValue = [
                "method": "punch.set", "params": ["effect": "throw", "amount": 0, "tracks": ["bass"]],
            ]
            try await client.call("midi.bind", ["on": key, "to": reverb])
            let filter: JSONValue = ["method": "punch.set", "params": ["effect": "filter"], "value": "amount"]
            try await client.call("midi.bind", ["on": Self.knob, "to": filter])
            try await client.call("subscribe", ["topics": ["punch"]])
            for (message, event) in [
                ([0x92, 60, 3], PunchEvent(effect: .throw, amount: 0, tracks: [.bass])),
                ([0xb2, 74, 127], PunchEvent(effect: .filter, amount: 1, tracks: Track.allCases)),
                ([0x82, 60, 3], PunchEvent(effect: .throw)), ([0xb2, 74, 0], PunchEvent(effect: .filter)),
                ([0x92, 60, 3], PunchEvent(effect: .throw, amount: 0, tracks: [.bass])),
            ] as [([UInt8], PunchEvent)] {
                receive([message], driver)
                #expect(try await client.next(PunchEvent.self) == event)
            }
            // The binding goes while its key is down.
            try await client.call("midi.unbind", ["on": key])
            #expect(try await client.next(PunchEvent.self) == PunchEvent(effect: .throw))
            let program: JSONValue = ["type": "program", "channel": 1, "number": 5]
            #expect(
                try await client.refusal("midi.bind", ["on": program, "to": reverb])?.message
                    == "on.type: expected note or cc, which can be held, got program")
            let effects: JSONValue = ["method": "punch.set", "params": ["amount": 0.5], "value": "effect"]
            #expect(try await client.refusal("midi.bind", ["on": Self.knob, "to": effects])?.code == .invalidParams)
        }
    }

    @Test func `a controller selects from all kits, including sample kits`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            await connectKeyboard(server)
            await server.session.kitsFound(["Dust"])
            let action: JSONValue = ["method": "track.set", "params": ["track": "rhythm"], "value": "kit"]
            try await client.call("midi.bind", ["on": Self.knob, "to": action])
            let program: JSONValue = ["type": "program", "channel": 10, "number": 5]
            let choice: JSONValue = ["method": "track.set", "params": ["track": "rhythm", "kit": "Dust"]]
            try await client.call("midi.bind", ["on": program, "to": choice])
            let builtIn = Track.rhythm.soundNames
            // The last position before the sample kit's.
            let end = UInt8(128 * builtIn.count / (builtIn.count + 1) - 1)
            for (messages, kit) in [
                ([[0xb2, 74, 127]], "Dust"), ([[0xb2, 74, end]], .choice(builtIn[builtIn.count - 1])),
                ([[0xc9, 5]], "Dust"), ([[0xb2, 74, 0]], .choice(builtIn[0])),
            ] as [([[UInt8]], ParameterValue)] {
                receive(messages, driver)
                try await wait(client) { $0.settings[.kit, .rhythm] == kit }
            }
        }
    }

    @Test func `ports are listed with what they are connected to`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            await connectKeyboard(server)
            #expect(
                try await client.call("midi.ports") == [
                    ["name": "midi_in", "connections": ["a:out", "b:out"]], ["name": "midi_out", "connections": []],
                    ["name": "clock_out", "connections": []],
                ])
        }
    }
}
