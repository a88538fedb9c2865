import ControlTestSupport
import Grid
import JSON
import Music
import TestSupport
import Testing
import Wire

/// Pictures with and without tooltips, labels, and library notifications.
@Suite(.timeLimit(.minutes(1)))
struct KindsTests {
    /// Taps the control for ghosts, which shows a tooltip.
    private func showText(_ client: TestClient) async throws {
        try await client.touch("down", 24, 0)
        try await client.touch("up", 24, 0)
        try await client.call("ping")
    }

    @Test(arguments: Reach.allCases)
    func `a client that shows tooltips itself gets pictures without them, and confirmation`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (page, terminal) = (try await server.client(), try await server.client())
            guard case .object(let greeting) = try await page.call("hello", ["tooltips": false]) else {
                Issue.record("no greeting")
                return
            }
            #expect(greeting["tooltips"] == false)
            #expect(try await terminal.call("hello").objectValue?["tooltips"] == nil)
            try await page.call("subscribe", ["topics": ["tooltip"]])
            try await showText(terminal)
            let (plain, whole) = (try await page.picture(), try await terminal.picture())
            #expect(plain.frame != whole.frame)
            #expect(plain.sequence != whole.sequence)
            // The tooltip is over the tracks, where nothing else is lit.
            #expect((4..<39).allSatisfy { plain.frame[$0, 4] == plain.frame[5, 4] || $0 % 9 == 4 || $0 % 9 == 3 })
            let text = try await page.next(TooltipEvent.self).text
            #expect(text.hasPrefix("GHOSTS"))
        }
    }

    /// Updates a client's picture until it equals the daemon's, which may change meanwhile.
    private func catchUp(_ picture: inout FollowedPicture, of client: TestClient) async throws {
        var goal = try await client.picture()
        while picture.frame != goal.frame {
            guard picture.sequence < goal.sequence else {
                goal = try await client.picture()
                continue
            }
            try picture.apply(try await client.next())
        }
    }

    @Test(arguments: Reach.allCases)
    func `the kind may change during a subscription, and the next diff leads to it`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            var picture = try await client.subscribeToFrames(["maxFps": 240])
            for areShown in [false, true, false] {
                try await showText(client)
                try await client.call("hello", ["tooltips": .bool(areShown)])
                try await catchUp(&picture, of: client)
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `diffs of both kinds add up to their pictures, whatever is touched`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let toucher = try await server.client()
            let (plain, whole) = (try await server.client(), try await server.client())
            try await plain.call("hello", ["tooltips": false])
            var plainPicture = try await plain.subscribeToFrames(["maxFps": 240])
            var wholePicture = try await whole.subscribeToFrames(["maxFps": 240])
            var random = SeededGenerator(seed: 20)
            for _ in 0..<20 {
                for _ in 0..<10 {
                    try await toucher.touch(
                        ["down", "move", "up"].randomElement(using: &random)!, .random(in: 0...43, using: &random),
                        .random(in: 0...23, using: &random))
                }
                try await toucher.call("ping")
                try await catchUp(&plainPicture, of: plain)
                try await catchUp(&wholePicture, of: whole)
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `labels name each lit cell: first all of them, then the changes`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (editor, watcher) = (try await server.client(), try await server.client())
            try await editor.call("note.set", ["track": "melody", "step": 2, "note": 4, "velocity": "normal"])
            let reply = try SubscribeReply(json: try await watcher.call("subscribe", ["topics": ["labels", "frame"]]))
            var labels = Labels()
            let first = try #require(reply.labels)
            #expect(first.base == nil)
            labels.apply(first.changes)
            let cell = Layout.row(of: .melody, note: 4)
            #expect(labels[Layout.column(ofStep: 2), cell] == "E")
            #expect(labels.texts.filter { !$0.isEmpty } == ["E"])
            try await editor.call("note.set", ["track": "rhythm", "step": 0, "note": 0, "velocity": "accent"])
            let update = try await watcher.next(LabelUpdate.self)
            #expect(update.base == first.sequence)
            #expect(update.changes.map(\.value) == ["BD"])
            try await editor.call("pattern.clear")
            let last = try await watcher.next(LabelUpdate.self)
            labels.apply(update.changes)
            labels.apply(last.changes)
            #expect(labels == Labels())
        }
    }

    @Test(arguments: Reach.allCases)
    func `labels come right after the picture that they belong to`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (editor, watcher) = (try await server.client(), try await server.client())
            let reply = try SubscribeReply(json: try await watcher.call("subscribe", ["topics": ["labels", "frame"]]))
            var picture = FollowedPicture(try #require(reply.frame))
            try await editor.call("note.set", ["track": "melody", "step": 2, "note": 4, "velocity": "normal"])
            let place = (Layout.column(ofStep: 2), Layout.row(of: .melody, note: 4))
            let before = picture.frame[place.0, place.1]
            // Whether the last notification was a picture.
            var followsPicture = false
            while true {
                let notification = try await watcher.notification()
                if notification.message(as: LabelUpdate.self) != nil { break }
                let update = notification.message(as: FrameUpdate.self)
                if let update { try picture.apply(update) }
                followsPicture = update != nil
            }
            #expect(followsPicture)
            #expect(picture.frame[place.0, place.1] != before)
        }
    }

    @Test(arguments: Reach.allCases)
    func `library subscribers are notified of changes, and of nothing else`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (editor, watcher) = (try await server.client(), try await server.client())
            #expect(try await watcher.call("subscribe", ["topics": ["library"]]) == [:])
            for (method, parameters) in [
                ("library.save", ["name": "tune"]), ("library.rename", ["name": "tune", "to": "song"]),
                ("library.delete", ["name": "song"]),
            ] as [(String, JSONObject)] {
                try await editor.call(method, parameters)
                #expect(try await watcher.next() == LibraryEvent())
            }
            #expect(try await editor.refusal("library.delete", ["name": "nothing"]) != nil)
            try await editor.call("tempo.set", ["bpm": 99])
            try await editor.call("pattern.clear")
            try await watcher.call("ping")
            #expect(watcher.pendingNotifications.isEmpty)
        }
    }

    @Test(arguments: [-1, 9.1e15, .infinity, .nan])
    func `a time that is not a number from 0 to 2^53 is refused`(milliseconds: Double) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let text = milliseconds.isFinite ? "\(milliseconds)" : "1e999"
            try await client.send(
                #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"down","x":4.5,"y":4.5,"ms":\#(text)},"id":1}"#
            )
            guard case .failure = try await client.response().result else {
                Issue.record("it was accepted")
                return
            }
        }
    }

    @Test func `a touch lasts as long as its client's clock says, up to the latest possible time`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            var touch = TestClient.touch("down", 4, 4)
            touch["ms"] = 9_007_199_254_740_492
            try await client.call("touch", touch)
            touch = TestClient.touch("up", 4, 4)
            touch["ms"] = 9_007_199_254_740_992
            let answer = try await client.call("touch", touch).objectValue
            #expect(answer?["gesture"] == "accent")
        }
    }
}
