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

@Suite(.timeLimit(.minutes(1)))
struct SubscriptionTests {
    @Test(arguments: Reach.allCases)
    func `a tap writes a note, is answered with it, and shows in all subscribers' pictures`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (toucher, watcher) = (try await server.client(), try await server.client())
            var picture = try await watcher.subscribeToFrames()
            let before = picture.frame
            try await toucher.touch("down", 4, 4)
            #expect(
                try await toucher.call("touch", TestClient.touch("up", 4, 4))
                    == ["gesture": "tap", "notes": 1, "frame": .null])
            try await picture.follow(watcher, until: try await toucher.picture())
            #expect(picture.frame != before)
            #expect(
                try await toucher.call("history.undo") == ["undo": 0, "redo": 1, "what": "the notes of Melody"])
        }
    }

    @Test(arguments: Reach.allCases)
    func `subscribe without an id sends no key frame, only diffs`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (toucher, watcher) = (try await server.client(), try await server.client())
            let before = try await watcher.picture()
            try await watcher.notify("subscribe", ["topics": ["frame"]])
            // An answer to `subscribe` would come before this one.
            #expect(try await watcher.call("tempo.set", ["bpm": 96]) == ["bpm": 96])
            try await toucher.touch("down", 4, 4)
            try await toucher.touch("up", 4, 4)
            let diff = try #require(try await watcher.notification().message(as: FrameUpdate.self))
            #expect(diff.base >= before.sequence)
            #expect(diff.sequence > diff.base)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a touch that changes nothing gets an empty answer`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("touch", TestClient.touch("down", 4, 4)) == [:])
            #expect(try await client.call("touch", ["touch": 1, "phase": "cancel"]) == [:])
            #expect(try await client.call("touch", TestClient.touch("up", 4, 4)) == [:])
            #expect(try await client.call("touch", ["touch": 9, "phase": "move", "x": 1e300, "y": -1e300]) == [:])
            #expect(
                try await client.refusal("touch", TestClient.touch("down", 44, 4))?.message
                    == "x: expected a place on the grid, from 0 to below 44, got 44.5")
            #expect(
                try await client.refusal("touch", ["touch": 1, "phase": "down", "x": 3])?.message
                    == "y: expected a number, got nothing")
        }
    }

    @Test(arguments: Reach.allCases)
    func `whatever the touches, the diffs add up to the picture`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (toucher, watcher) = (try await server.client(), try await server.client())
            var picture = try await watcher.subscribeToFrames(["maxFps": 240])
            var random = SeededGenerator(seed: 4711)
            for _ in 0..<30 {
                for _ in 0..<20 {
                    let phase = ["down", "move", "move", "up"].randomElement(using: &random)!
                    try await toucher.touch(
                        phase, id: .random(in: 0...2, using: &random), .random(in: 0...43, using: &random),
                        .random(in: 0...23, using: &random))
                }
                try await picture.follow(watcher, until: try await toucher.picture())
            }
            #expect(picture.sequence > 1)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a client that vanishes mid-touch leaves no preview and no note`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (toucher, watcher) = (try await server.client(), try await server.client())
            let before = try await watcher.call("pattern.get")
            try await toucher.touch("down", 4, 4)
            try await toucher.touch("move", 9, 4)
            try await toucher.call("ping")
            try await toucher.transport.send(Array(#"{"jsonrpc":"2.0","method":"tou"#.utf8))
            await toucher.transport.close()
            try await watcher.untilAlone()
            #expect(try await watcher.call("pattern.get") == before)
            #expect(try await watcher.call("history.undo") == ["undo": 0, "redo": 0])
        }
    }

    @Test(arguments: Reach.allCases)
    func `state patches add up to the state`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (editor, watcher) = (try await server.client(), try await server.client())
            let reply = try SubscribeReply(json: try await watcher.call("subscribe", ["topics": ["state"]]))
            #expect(reply.frame == nil)
            var state = try #require(reply.state)
            try await editor.call("tempo.set", ["bpm": 130])
            #expect(try await watcher.nextPatch() == ["bpm": 130, "sync": ["bpm": 130]])
            try await editor.call("track.set", ["track": "chords", "mute": true])
            #expect(try await watcher.nextPatch() == ["tracks": ["chords": ["mute": true]]])
            state = state.applying(["bpm": 130, "sync": ["bpm": 130], "tracks": ["chords": ["mute": true]]])
            #expect(try await editor.call("state.get") == state)
        }
    }

    @Test(arguments: Reach.allCases, [Topic.frame, .state])
    func `a subscription renewed without an answer continues from what the client has`(
        reach: Reach, topic: Topic
    ) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let topics: JSONValue = [.string(topic.rawValue)]
            let start = try SubscribeReply(json: try await client.call("subscribe", ["topics": topics]))
            // In one line, so that the note cannot be sent in between.
            try await client.send(
                """
                [{"jsonrpc":"2.0","method":"note.set",\
                "params":{"track":"bass","step":0,"note":0,"velocity":"normal"}},\
                {"jsonrpc":"2.0","method":"subscribe","params":{"topics":\(topics.text),"maxFps":30}}]
                """)
            try await client.call("note.set", ["track": "bass", "step": 2, "note": 4, "velocity": "normal"])
            if let frame = start.frame {
                #expect(try await client.next(FrameUpdate.self).base == frame.sequence)
            } else {
                let slots = try await client.nextPatch().objectValue?["slots"]
                #expect(slots == ["bass": ["filled": [1]]])
            }
        }
    }

    @Test func `audio and storage show in the state`() async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            try await client.call("subscribe", ["topics": ["state"]])
            server.control.notify { session, now in
                session.audioChanged(to: AudioState(status: .noServer, reason: "no server runs"), at: now)
            }
            #expect(try await client.nextPatch() == ["audio": ["status": "no server", "reason": "no server runs"]])
            server.control.storageChanged(to: StorageState(status: .failing, reason: "disk full"))
            #expect(try await client.nextPatch() == ["storage": ["status": "failing", "reason": "disk full"]])
        }
    }

    @Test(arguments: Reach.allCases)
    func `tooltips go to all subscribers, haptics to the client that touched`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (toucher, watcher) = (try await server.client(), try await server.client())
            try await toucher.call("subscribe", ["topics": ["tooltip", "haptic"]])
            try await watcher.call("subscribe", ["topics": ["tooltip", "haptic"]])
            try await toucher.touch("down", 4, 6)
            try await toucher.touch("up", 4, 6)
            var heard: [DaemonNotification] = []
            while heard.count < 2 { heard.append(try await toucher.notification()) }
            let haptic = HapticEvent(style: "light", intensity: 0.5)
            #expect(heard.contains { $0.message() == haptic })
            let tooltip = try #require(try await watcher.notification().message(as: TooltipEvent.self))
            #expect(heard.contains { $0.message() == tooltip })
            #expect(tooltip.milliseconds == 1200)
            try await watcher.call("ping")
            try await watcher.expectNoNotification()
        }
    }

    @Test(arguments: Reach.allCases)
    func `oscilloscope data is measured while someone subscribes to it`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            let clients = [try await server.client(), try await server.client()]
            func isMeasured() -> Bool {
                driver.render(frames: 1600) { _ in }
                return server.engine.fetchTrace() != nil
            }
            #expect(!isMeasured())
            for client in clients {
                #expect(try await client.call("subscribe", ["topics": ["scope"]]) == [:])
            }
            driver.render(frames: 1600) { _ in }
            for client in clients {
                let event = try await client.next(ScopeEvent.self)
                #expect(event.main == Array(repeating: 0, count: 256) && event.peaks == [0, 0, 0, 0])
            }
            try await clients[0].call("unsubscribe", ["topics": ["scope"]])
            driver.render(frames: 1600) { _ in }
            _ = try await clients[1].next(ScopeEvent.self)
            try await clients[0].expectNoNotification()
            await clients[1].transport.close()
            try await clients[0].untilAlone()
            #expect(!isMeasured())
        }
    }

    @Test(arguments: Reach.allCases)
    func `an unsubscribed client gets nothing more`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.call("subscribe", ["topics": ["frame", "state", "tooltip"], "maxFps": 240])
            try await client.call("unsubscribe", ["topics": ["frame", "state", "tooltip"]])
            client.forgetNotifications()
            try await client.touch("down", 4, 6)
            try await client.touch("up", 4, 6)
            try await client.call("tempo.set", ["bpm": 140])
            // By then a later client has been notified.
            let later = try await server.client()
            try await later.call("subscribe", ["topics": ["state"]])
            try await client.call("tempo.set", ["bpm": 150])
            _ = try await later.nextPatch()
            try await client.call("ping")
            try await client.expectNoNotification()
        }
    }

    @Test(arguments: Reach.allCases)
    func `frame.get does not move the base of a subscription`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            var picture = try await client.subscribeToFrames()
            for bpm in [80, 90, 100] {
                try await client.call("scale.set", ["scale": bpm == 90 ? "major" : "minor"])
                try await picture.follow(client, until: try await client.picture())
            }
        }
    }
}

extension TestClient {
    /// Checks that nothing but answers was sent.
    func expectNoNotification() async throws {
        try await call("ping")
        #expect(pendingNotifications.isEmpty, "\(pendingNotifications)")
    }
}
