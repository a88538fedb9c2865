import ControlTestSupport
import JSON
import Music
import NIOCore
import PatternFormat
import TestSupport
import Testing
import Wire

/// The protocol's limits, except on lines and unread answers (``ConnectionTests``) and clients (``GreetingTests``).
@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test(arguments: Reach.allCases)
    func `a rate outside 1 to 240 is refused, and subscribes to nothing`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            for rate: JSONValue in [0, 241, -1, 1e300, 59.5, "60"] {
                let error = try await client.refusal("subscribe", ["topics": ["frame"], "maxFps": rate])
                #expect(error?.code == .invalidParams)
                #expect(error?.message.hasPrefix("maxFps: expected an integer from 1 to 240, got ") == true)
            }
            try await client.call("scale.set", ["scale": "minor"])
            try await client.expectNoNotification()
            for rate: JSONValue in [1, 240, 60.0] {
                #expect(try await client.refusal("subscribe", ["topics": ["frame"], "maxFps": rate]) == nil)
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `an unknown topic is refused, along with those beside it`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let wrong: [JSONValue] = [["frame", "frames"], ["state", 1], "frame", [.null]]
            for topics in wrong {
                let error = try await client.refusal("subscribe", ["topics": topics])
                #expect(error?.code == .invalidParams)
                #expect(error?.message.hasPrefix("topics") == true)
            }
            try await client.call("scale.set", ["scale": "minor"])
            try await client.expectNoNotification()
            #expect(try await client.call("subscribe", ["topics": []]) == [:])
        }
    }

    @Test func `the fullest instrument fits into a line, and comes back unchanged`() async throws {
        var pattern = Pattern()
        pattern.name = String(repeating: "\u{1d11e}", count: Pattern.longestName)
        var note = Note(.accent)
        for (value, number) in [(NoteValue.level, -24), (.chance, 10), (.cycle, 37), (.ratchet, 8), (.nudge, -50)] {
            note[value] = number
        }
        for slot in Slot.all {
            (pattern[slot].length, pattern[slot].speed) = (31, .threeQuarters)
            for step in 0..<SlotNotes.stepCount {
                for number in slot.track == .melody ? 11..<12 : 0..<12 { pattern[slot][step][whole: number] = note }
                for parameter in Parameter.movable {
                    pattern[slot].motions[parameter, step] = parameter.row.motion!.lowerBound * 0.98765
                }
            }
        }
        let value = PatternFormat.encode(pattern)
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            try await client.call("pattern.set", ["pattern": value])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == pattern)
        }
        let call = #"{"jsonrpc": "2.0", "method": "pattern.set", "params": {"pattern": }, "id": 12345}"#.utf8.count
        #expect(value.bytes.count + call <= ControlProtocol.maximumLineLength)
    }

    private static let ping = #"{"jsonrpc":"2.0","method":"ping","id":1}"#

    @Test(arguments: Reach.allCases)
    func `a full batch on the longest line is answered in one line`(reach: Reach)
        async throws
    {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let count = ControlProtocol.maximumBatchLength
            var line = "[" + Array(repeating: Self.ping, count: count).joined(separator: ",")
            line += String(repeating: " ", count: ControlProtocol.maximumLineLength - line.utf8.count - 1) + "]"
            try await client.send(line)
            let answers = try #require(try await client.json().arrayValue)
            #expect(answers.count == count)
            #expect(answers.allSatisfy { $0 == ["jsonrpc": "2.0", "result": [:], "id": 1] })
        }
    }

    @Test(arguments: Reach.allCases, ["1", ping, #"{"jsonrpc":"2.0","method":"ping"}"#])
    func `a larger batch is refused as a whole, and the connection stays open`(reach: Reach, call: String)
        async throws
    {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let count = ControlProtocol.maximumBatchLength + 1
            try await client.send("[" + Array(repeating: call, count: count).joined(separator: ",") + "]")
            #expect(
                try await client.json() == [
                    "jsonrpc": "2.0", "id": .null,
                    "error": [
                        "code": -32600, "message": "Invalid Request",
                        "data": ["reason": "a batch may hold at most 1000 calls, got 1001"],
                    ],
                ])
            #expect(try await client.call("ping") == [:])
        }
    }

    @Test func `a name of more than 100 characters is refused`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let longest = String(repeating: "é", count: 100)
            #expect(try await client.refusal("hello", ["client": .string(longest)]) == nil)
            #expect(try await client.refusal("hello", ["client": .string(longest + "é")])?.code == .invalidParams)
            // A single character to Unicode.
            let heap = "e" + String(repeating: "\u{200d}", count: 10_000)
            #expect(try await client.refusal("hello", ["client": .string(heap)])?.code == .invalidParams)
        }
    }

    @Test func `a line full of combining marks is refused at once, whatever they stand for`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let marks = String.combiningMarks(900_000)
            for line in [
                #"{"jsonrpc":"2.0","id":1,"method":"\#(marks)"}"#,
                #"{"jsonrpc":"2.0","id":"\#(marks)","method":"ping"}"#,
                #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\#(marks)":0}}"#,
                #"{"jsonrpc":"2.0","id":1,"method":"scale.set","params":{"scale":"\#(marks)"}}"#,
            ] {
                try await client.send(line)
                let response = try await client.response()
                #expect(response.id == .null)
                guard case .failure(let error) = response.result else {
                    Issue.record("\(response)")
                    return
                }
                #expect(error.code == .parseError)
            }
            #expect(try await client.call("ping") == [:])
        }
    }

    @Test func `tooltips are dropped, not queued, while a client does not read`() async throws {
        try await TestServer.with { server in
            let toucher = try await server.client()
            let socket = try await server.socket()
            let deaf = TestClient(over: socket)
            _ = try await deaf.notification()
            try await deaf.call("subscribe", ["topics": ["tooltip"]])
            try await socket.setReading(false)
            let taps = 800
            for tap in 0..<taps {
                // A different row each time, so that each shows a tooltip.
                for phase in ["down", "up"] { try await toucher.touch(phase, 4 + tap % 8, 2 + tap % 5) }
            }
            try await toucher.call("ping")
            try await socket.setReading(true)
            try await deaf.call("ping")
            let heard = deaf.pendingNotifications.count
            #expect(heard > 0)
            #expect(heard < taps / 2)
        }
    }
}
