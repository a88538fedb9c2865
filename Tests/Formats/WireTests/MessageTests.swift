import Grid
import Instrument
import JSON
import Music
import TestSupport
import Testing
import Wire

struct MessageTests {
    /// Writes a message, reads it back, and returns what was written.
    private func written<Message: WireMessage>(_ message: Message) throws -> JSONValue {
        let json = try JSONValue(parsing: JSONValue.object(message.json).bytes)
        #expect(try Message(json: json) == message)
        return json
    }

    /// The notification that a line holds.
    private func notification(_ line: [UInt8]) throws -> DaemonNotification {
        let messages = try DaemonMessage.messages(parsing: line)
        #expect(messages.count == 1)
        let notification: DaemonNotification? =
            if case .notification(let notification) = messages.first { notification } else { nil }
        return try #require(notification)
    }

    /// Writes a notification as a line, reads it back, and returns its parameters.
    private func sent<Message: NotificationMessage>(_ message: Message) throws -> JSONValue? {
        #expect(message.line.last == UInt8(ascii: "\n"))
        #expect(message.line.count { $0 == UInt8(ascii: "\n") } == 1)
        let line = Array(message.line.dropLast())
        #expect(try notification(line).message() == message)
        let object = try JSONValue(parsing: line).objectValue
        #expect(object?["method"] == .string(Message.method))
        return object?["params"]
    }

    @Test func `the welcome has the daemon's versions and limits`() throws {
        let welcome = Welcome(version: "1.0")
        #expect(
            try sent(welcome) == [
                "server": "pixelboopd", "version": "1.0", "protocol": 1, "cols": 44, "rows": 24,
                "limits": ["line": 2_097_152, "unread": 4_194_304],
            ])
    }

    @Test func `the state's sync has the settings and the current state`() throws {
        var state = InstrumentState()
        state.settings.set(.syncSource, to: "auto")
        state.settings.set(.syncLead, to: .selection(["jack"]))
        state.sync = SyncState(following: .jack, bpm: 127.98, locked: false)
        #expect(
            try written(state).objectValue?["sync"] == [
                "source": "auto", "lead": ["jack"], "quantum": 4, "startStop": true, "offsetIn": 0, "offsetOut": 0,
                "latency": "none", "following": "jack", "leading": [], "bpm": 127.98, "locked": false,
            ])
        var older = state.json
        older["sync"] = nil
        #expect(try InstrumentState(json: .object(older)).sync == SyncState())
        let schema = InstrumentState.kind.schema.definitions["State"]?.objectValue
        let sync = schema?["properties"]?.objectValue?["sync"]?.objectValue
        #expect(sync?["properties"]?.objectValue?.members.count == 15)
        #expect(sync?["required"]?.arrayValue?.count == 11)
    }

    @Test func `a key frame holds all cells row by row, written either way`() throws {
        var random = SeededGenerator(seed: 7)
        let frame = try #require(Frame(cells: (0..<1056).map { _ in .random(in: 0...0xff_ffff, using: &random) }))
        let message = KeyFrame(sequence: 12, frame: frame)
        let json = try written(message)
        #expect(json.objectValue?["rgb"] == .array(frame.cells.map { .integer(Int($0)) }))
        #expect(try JSONValue(parsing: message.bytes) == json)
    }

    @Test(arguments: [
        "[]", "7", #""x""#, "[" + Array(repeating: "16777216", count: 1056).joined(separator: ",") + "]",
        "[" + Array(repeating: "-1", count: 1056).joined(separator: ",") + "]",
    ])
    func `an invalid key frame is refused`(rgb: String) throws {
        let json = try JSONValue(parsing: #"{"seq":1,"cols":44,"rows":24,"rgb":\#(rgb)}"#)
        let error = #expect(throws: FieldError.self) { try KeyFrame(json: json) }
        #expect(error?.field == "message.rgb")
    }

    @Test func `a diff alternates indices and colours`() throws {
        let update = FrameUpdate(
            sequence: 5, base: 3, changes: [.init(index: 0, value: 255), .init(index: 1055, value: 1)])
        let json = try sent(update)
        #expect(json == ["seq": 5, "base": 3, "cells": [0, 255, 1055, 1]])
        #expect(json == .object(update.json))
    }

    @Test(arguments: ["[1056,0]", "[-1,0]", "[0]", "[0,16777216]", "[0.5,1]"])
    func `a diff outside the grid is refused`(cells: String) throws {
        let json = try JSONValue(parsing: #"{"seq":2,"base":1,"cells":\#(cells)}"#)
        #expect(throws: FieldError.self) { try FrameUpdate(json: json) }
    }

    @Test func `samples are sent as base64`() throws {
        let texts: [([UInt8], String)] = [
            ([], ""), ([255], "/w=="), ([255, 254], "//4="), ([251, 255, 0, 1], "+/8AAQ=="),
        ]
        for (pcm, text) in texts {
            let event = AudioEvent(frame: 0, usecs: 0, rate: 48_000, pcm: pcm)
            let json = try #require(try sent(event))
            #expect(json.objectValue?["pcm"] == .string(text))
            #expect(try AudioEvent(json: json) == event)
            #expect(event.line == DaemonNotification.line(method: "audio") { $0.appendJSON(event.json) })
        }
    }

    @Test(arguments: ["A", "AA", "AAA", "AA=", "A===", "====", "AA=A", "AAAA=", "AA==AAAA", "AA\n==", "AA-_", " AAA"])
    func `samples in wrong base64 are refused`(text: String) throws {
        var json = AudioEvent(frame: 0, usecs: 0, rate: 48_000, pcm: []).json
        json["pcm"] = .string(text)
        let error = #expect(throws: FieldError.self) { try AudioEvent(json: .object(json)) }
        #expect(error?.message == "expected base64, got \(JSONValue.string(text).text)")
    }

    @Test func `the state of a new daemon is as documented`() throws {
        var state = InstrumentState()
        state.audio = AudioState(status: .running, rate: 48_000, period: 64)
        let track: JSONValue = ["mute": false, "solo": false, "gain": 0, "pan": 0]
        let documented: JSONValue = [
            "transport": ["state": "stopped", "step": 0, "record": false], "bpm": 120, "swing": 0.5, "scale": "major",
            "root": "C", "length": 32, "colors": "chromatic", "ghosts": true,
            "tracks": ["melody": track, "chords": track, "bass": track, "rhythm": track],
            "history": ["undo": 0, "redo": 0], "pattern": ["name": ""],
            "audio": ["status": "running", "reason": "", "rate": 48_000, "period": 64],
            "storage": ["status": "running", "reason": ""],
        ]
        // Merging it in changes nothing; the table may have more parameters.
        let json = try written(state)
        #expect(json.applying(documented) == json)
    }

    @Test func `a patched state reads as the new one`() throws {
        let old = InstrumentState()
        var new = old
        new.bpm = 127.31
        new.scale = .penta
        new.root = PitchClass(6)
        new[.bass] = TrackState([.mute: true, .solo: true, .gain: -6.5, .pan: 0.25])
        new.audio = AudioState(status: .lost, reason: "the server died")
        new.patternName = "Ünïcode \"quoted\""
        let patch = JSONValue.mergePatch(from: .object(old.json), to: .object(new.json))
        #expect(patch.objectValue?["swing"] == nil)
        guard case .state(patch) = try notification(DaemonNotification.stateLine(patch: patch).dropLast()) else {
            Issue.record("no patch")
            return
        }
        #expect(try InstrumentState(json: JSONValue.object(old.json).applying(patch)) == new)
    }

    @Test func `events are as documented`() throws {
        let step = StepEvent(step: 3, frame: 1 << 40, usecs: 123_456_789_012)
        #expect(try sent(step) == ["step": 3, "frame": .integer(1 << 40), "usecs": 123_456_789_012])
        let ofSong = StepEvent(step: 3, songStep: 35, tracks: [.bass: 5], frame: 7, usecs: 8)
        #expect(
            try sent(ofSong) == ["step": 3, "frame": 7, "usecs": 8, "songStep": 35, "tracks": ["bass": 5]])
        let launch = LaunchEvent(track: .bass, slot: 3, frame: 1 << 40, usecs: 5)
        #expect(try sent(launch) == ["track": "bass", "slot": 3, "frame": .integer(1 << 40), "usecs": 5])
        let unheard = LaunchEvent(track: .melody, slot: 8, frame: nil, usecs: nil)
        #expect(try sent(unheard) == ["track": "melody", "slot": 8])
        let tooltip = TooltipEvent(text: "C#4", row: 7, milliseconds: 1200)
        #expect(try sent(tooltip) == ["text": "C#4", "row": 7, "ms": 1200])
        let held = TooltipEvent(text: "WALK", row: 7, milliseconds: nil)
        #expect(try sent(held) == ["text": "WALK", "row": 7])
        let haptic = HapticEvent(style: "medium", intensity: 0.8)
        #expect(try sent(haptic) == ["style": "medium", "intensity": 0.8])
        let scope = ScopeEvent(usecs: 5_000_000, main: [-212, 198, 0, 3], peaks: [401, 0, 1000, 7])
        #expect(
            try sent(scope) == [
                "usecs": 5_000_000, "main": [-212, 198, 0, 3],
                "tracks": ["melody": 401, "chords": 0, "bass": 1000, "rhythm": 7],
            ])
        for (request, json) in [
            (.tempo(128), ["request": "tempo", "bpm": 128]), (.play, ["request": "play"]), (.stop, ["request": "stop"]),
        ] as [(TimelineRequest, JSONValue)] {
            #expect(try sent(request) == json)
        }
        let bye = Bye(reason: "shutting down")
        #expect(try sent(bye) == ["reason": "shutting down"])
    }

    @Test func `answers and events of takes are as documented`() throws {
        let take = ListedTake(
            number: 12, began: "2026-01-02T12:34:56Z", seconds: 182.4, pattern: "groove", isStarred: true,
            inexactFrom: 7.5, isCurrent: true, isSketch: false, rate: 44_100, size: 7)
        let json: JSONValue = [
            "number": 12, "began": "2026-01-02T12:34:56Z", "seconds": 182.4, "pattern": "groove", "starred": true,
            "exact": false, "inexactFrom": 7.5, "current": true, "sketch": false, "rate": 44_100, "size": 7,
        ]
        #expect(
            try written(TakeList(takes: [take], status: .stopped, reason: "the disk is full"))
                == ["takes": [json], "status": "stopped", "reason": "the disk is full"])
        #expect(try written(TakeList(takes: [], status: .off)) == ["takes": [], "status": "off"])
        #expect(ListedTake.example.isExact && ListedTake.example.json["exact"] == true)
        let sound = RenderedSound(frames: 9, seconds: 0.5, drums: ["low tom"], warning: "by another version")
        let members: JSONObject = [
            "frames": 9, "seconds": 0.5, "drums": ["low tom"], "warning": "by another version",
        ]
        #expect(
            try written(RenderReply(path: "/a.wav", sound))
                == .object(members).applying(["path": "/a.wav"]))
        #expect(try written(RenderReply(render: 3)) == ["render": 3])
        #expect(
            try written(RenderedData(data: "TVRo", size: 3, isEnd: true)) == ["data": "TVRo", "size": 3, "end": true])
        #expect(try sent(TakeEvent.changed) == ["changed": true])
        #expect(try sent(TakeEvent.progress(render: 3, 0.25)) == ["render": 3, "progress": 0.25])
        #expect(
            try sent(TakeEvent.done(render: 3, sound, files: ["mix", "bass"]))
                == .object(members).applying(["render": 3, "done": true, "files": ["mix", "bass"]]))
        #expect(try sent(TakeEvent.failed(render: 3, "cancelled")) == ["render": 3, "error": "cancelled"])
    }

    @Test func `answers are as documented`() throws {
        #expect(try written(TouchOutcome()) == [:])
        #expect(
            try written(TouchOutcome(gesture: "arpeggio", notes: 4, frame: 99))
                == ["gesture": "arpeggio", "notes": 4, "frame": 99])
        #expect(
            try written(TouchOutcome(gesture: "erase", notes: 0)) == ["gesture": "erase", "notes": 0, "frame": .null])
        #expect(try written(ExportReply(path: "/tmp/a.wav", frames: 7)) == ["path": "/tmp/a.wav", "frames": 7])
        #expect(try written(ExportReply(data: "TVRo", frames: 7)) == ["data": "TVRo", "frames": 7])
        #expect(try written(ExportReply(render: 3)) == ["render": 3])
        let entry = LibraryEntry(
            name: "a", modified: "2026-01-02T12:34:56Z", bpm: 99.5, scale: "minor", length: 16)
        #expect(
            try written(entry) == [
                "name": "a", "modified": "2026-01-02T12:34:56Z", "bpm": 99.5, "scale": "minor", "length": 16,
            ])
        _ = try written(SubscribeReply(frame: KeyFrame(sequence: 1, frame: Frame()), state: ["bpm": 1]))
    }

    @Test func `statistics name every client`() throws {
        let statistics = Statistics(
            uptime: 1.5,
            audio: AudioStatistics(
                state: AudioState(status: .running, rate: 48_000, period: 64), xruns: 2, load: 0.5, worst: 99,
                droppedNotices: 5),
            midi: MidiCounts(delayed: 1, skipped: 2, echoes: 3),
            clients: [
                ClientStatistics(id: 4, name: "tui", frames: DeliveryCounts(sent: 10, dropped: 1)),
                ClientStatistics(
                    id: 5, name: "", frames: DeliveryCounts(), audio: DeliveryCounts(sent: 50, dropped: 3)),
            ],
            frames: DeliveryCounts(sent: 20, dropped: 2), errors: 3, memory: 4096)
        #expect(
            try written(statistics) == [
                "uptime": 1.5,
                "audio": [
                    "driver": "jack", "status": "running", "reason": "", "rate": 48_000, "period": 64, "xruns": 2,
                    "xrunsLastHour": 0, "load": 0.5, "worst": 99, "droppedNotices": 5,
                ],
                "midi": ["delayed": 1, "skipped": 2, "echoes": 3],
                "clients": [
                    ["id": 4, "name": "tui", "frames": ["sent": 10, "dropped": 1]],
                    [
                        "id": 5, "name": "", "frames": ["sent": 0, "dropped": 0], "audio": ["sent": 50, "dropped": 3],
                    ],
                ],
                "frames": ["sent": 20, "dropped": 2], "errors": 3, "memory": 4096,
            ])
    }

    @Test func `a later daemon's additions are ignored`() throws {
        let line = #"{"jsonrpc":"2.0","method":"sparkle","params":{"a":1}}"#
        guard case .other("sparkle") = try notification(Array(line.utf8)) else {
            Issue.record("read as something else")
            return
        }
        let bye = try JSONValue(parsing: #"{"reason":"x","mood":"fine"}"#)
        #expect(try Bye(json: bye) == Bye(reason: "x"))
    }
}
