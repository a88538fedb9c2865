import ControlTestSupport
import Instrument
import JSON
import Music
import Testing
import Wire

@Suite struct TimelineMethodTests {
    @Test(arguments: Reach.allCases)
    func `one client holds the timeline, and the error names it to others`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (holder, other) = (try await server.client(), try await server.client())
            try await holder.call("hello", ["client": "drum computer"])
            let timeline: JSONObject = ["beat": 4, "usecs": 1_000_000, "bpm": 126]
            #expect(try await holder.call("sync.timeline", timeline) == [:])
            for method in ["sync.timeline", "sync.release"] {
                let refusal = try await other.refusal(method, method == "sync.release" ? [:] : timeline)
                #expect(refusal?.code == .heldByAnother && refusal?.message == "drum computer holds the timeline")
            }
            var state = try InstrumentState(json: try await other.call("state.get"))
            #expect(state.sync.holder == "drum computer")
            try await holder.call("sync.release")
            state = try InstrumentState(json: try await other.call("state.get"))
            #expect(state.sync.holder == nil)
            try await other.call("sync.timeline", timeline)
            await other.transport.close()
            try await holder.untilAlone()
            try await holder.call("sync.timeline", timeline)
        }
    }

    @Test(arguments: Reach.allCases)
    func `the state shows the timeline's tempo and how many share it, followed or not`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            func told(_ timeline: JSONObject) async throws -> SyncState {
                try await client.call("sync.timeline", timeline)
                return try InstrumentState(json: try await client.call("state.get")).sync
            }
            var sync = try await told(["beat": 4, "usecs": 1_000_000, "bpm": 99.057, "peers": 2])
            #expect(sync.holderBpm == 99.06 && sync.peers == 2 && sync.bpm == 120)
            sync = try await told(["beat": 4, "usecs": 1_000_000, "bpm": 130.00013])
            #expect(sync.holderBpm == 130 && sync.peers == nil)
            try await client.call("sync.release")
            sync = try InstrumentState(json: try await client.call("state.get")).sync
            #expect(sync.holderBpm == nil)
        }
    }

    @Test(arguments: Reach.allCases)
    func `only the holder gets tempo requests`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (holder, other) = (try await server.client(), try await server.client())
            for client in [holder, other] { try await client.call("subscribe", ["topics": ["sync"]]) }
            try await other.call("sync.set", ["source": "timeline", "quantum": 8, "offsetIn": -3.5])
            try await holder.call("sync.timeline", ["beat": 4, "usecs": 1_000_000, "bpm": 126])
            try await other.call("tempo.set", ["bpm": 128])
            #expect(try await holder.next() == TimelineRequest.tempo(128))
            try await other.call("ping")
            try await other.expectNoNotification()
            let state = try InstrumentState(json: try await other.call("state.get"))
            #expect(state.bpm == 120)
            // A holder that does not subscribe to requests cannot be asked.
            try await holder.call("unsubscribe", ["topics": ["sync"]])
            let refusal = try await other.refusal("tempo.set", ["bpm": 128])
            #expect(refusal?.code == .followsOutside && refusal?.message == "the tempo follows timeline")
        }
    }

    @Test(
        arguments: [
            ("bpm", 9.9), ("bpm", 1000.1), ("beat", 1e10), ("usecs", -1), ("usecs", 0.5), ("quantum", 0),
            ("playingUsecs", -1),
        ] as [(String, Double)])
    func `an invalid timeline is refused`(name: String, value: Double) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            var timeline: JSONObject = ["beat": 4, "usecs": 1_000_000, "bpm": 126]
            timeline[name] = .number(value)
            let refusal = try await client.refusal("sync.timeline", timeline)
            #expect(refusal?.code == .invalidParams && refusal?.message.hasPrefix("\(name): expected") == true)
        }
    }

    @Test func `time.get answers while there is a JACK server`() async throws {
        try await TestServer.with(.direct, hasAudio: true) { server in
            let times = try ClockTimes(json: try await server.client().call("time.get"))
            #expect(times.jack == 5_000_000 && times.monotonic == 5_000_100)
        }
        try await TestServer.with(.direct) { server in
            let refusal = try await server.client().refusal("time.get")
            #expect(refusal?.code == .noAudio)
        }
    }
}
