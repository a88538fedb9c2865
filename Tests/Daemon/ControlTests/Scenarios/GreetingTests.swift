import ControlTestSupport
import Gestures
import JSON
import TestSupport
import Testing
import Wire

// Scenarios run twice: in process, directly with the conversation, and over the real socket.

@Suite(.timeLimit(.minutes(1)))
struct GreetingTests {
    static let welcome: JSONValue = [
        "server": "pixelboopd", "version": "1.2.3", "protocol": 1, "cols": 44, "rows": 24,
        "limits": ["line": 2_097_152, "unread": 4_194_304],
    ]

    /// The answer to `hello`: the welcome, and what the daemon understood.
    static func greeting(
        client: String = "", touch: JSONValue = ["resolution": "subcell", "cellPixels": 21], isRemote: Bool = false
    ) -> JSONValue {
        guard case .object(var greeting) = welcome else { return .null }
        greeting["client"] = .string(client)
        greeting["touch"] = touch
        if isRemote { greeting["remote"] = true }
        return .object(greeting)
    }

    @Test(arguments: Reach.allCases)
    func `the daemon speaks first`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.newcomer()
            #expect(
                try await client.json() == ["jsonrpc": "2.0", "method": "welcome", "params": Self.welcome])
        }
    }

    @Test(arguments: Reach.allCases)
    func `hello is answered with the welcome and what the daemon understood`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("hello") == Self.greeting())
            let touch: JSONValue = ["resolution": "cell", "cellPixels": 12.5]
            #expect(
                try await client.call("hello", ["client": "pad", "touch": touch])
                    == Self.greeting(client: "pad", touch: touch))
            // Members left out stay unchanged.
            #expect(try await client.call("hello") == Self.greeting(client: "pad", touch: touch))
            let statistics = try Statistics(json: try await client.call("stats.get"))
            #expect(statistics.clients.map(\.name) == ["pad"])
        }
    }

    @Test(
        arguments: [
            ["resolution": "cell"], ["cellPixels": 9], ["touch": ["pitch": 9]], ["touch": ["pixels": 9]],
            ["name": "pad"],
        ] as [JSONObject])
    func `a misplaced member is ignored, and the answer shows it`(parameters: JSONObject) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            #expect(try await client.call("hello", parameters) == Self.greeting())
        }
    }

    @Test(
        arguments: [
            (
                "client", "a\u{1b}[31mb",
                "client: expected a string of at most 100 characters without control characters"
            ),
            ("client", "a\u{9b}b", "client: expected a string of at most 100 characters without control characters"),
            ("client", "a\nb", "client: expected a string of at most 100 characters without control characters"),
            ("client", "\u{7f}", "client: expected a string of at most 100 characters without control characters"),
            ("touch", ["resolution": "pixel"], "touch.resolution: expected one of subcell, cell"),
            ("touch", ["cellPixels": 0], "touch.cellPixels: expected a number from 1 to 1000"),
        ] as [(String, JSONValue, String)])
    func `invalid values are refused`(name: String, value: JSONValue, message: String) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let error = try await client.refusal("hello", [name: value])
            #expect(error?.code == .invalidParams)
            #expect(error?.message.hasPrefix(message) == true)
            #expect(try await client.call("hello") == Self.greeting())
        }
    }

    @Test(arguments: Reach.allCases)
    func `a client declared remote stays remote`(reach: Reach) async throws {
        let remote = Self.greeting(isRemote: true)
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("hello", ["remote": true]) == remote)
            #expect(try await client.call("hello", ["remote": false]) == remote)
            #expect(try await client.call("hello") == remote)
            #expect(try await server.client().call("hello", ["remote": false]) == Self.greeting())
        }
    }

    @Test(arguments: ["export.midi", "export.wav"])
    func `a remote client may not name files`(method: String) async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            let path: JSONObject = ["path": .string(method == "export.wav" ? "/a.wav" : "/a.mid")]
            try await client.call(method, path)
            try await client.call("hello", ["remote": true])
            #expect(
                try await client.refusal(method, path)
                    == WireError(
                        .notForRemoteClients, "path is not for remote clients: it names a file on this machine",
                        data: ["parameter": "path"]))
        }
    }

    @Test func `a remote client gets an export that needs no file`() async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            try await client.call("hello", ["remote": true])
            let reply = try ExportReply(json: try await client.call("export.midi"))
            #expect(reply.data == "TVRoZA==")
        }
    }

    @Test(arguments: Reach.allCases)
    func `ping is answered`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("ping") == [:])
        }
    }

    @Test func `clients up to the limit are served; the next is refused, and can connect once another has left`()
        async throws
    {
        try await TestServer.with(maximumClients: 2) { server in
            let (first, second) = (try await server.client(), try await server.client())
            let third = try await server.newcomer()
            #expect(
                try await third.json() == [
                    "jsonrpc": "2.0", "id": .null,
                    "error": [
                        "code": -32004, "message": "2 clients are connected already, the maximum",
                        "data": ["limit": 2],
                    ],
                ])
            #expect(await third.hasEnded())
            await first.transport.close()
            try await second.untilAlone()
            try await server.client().call("ping")
        }
    }

    @Test func `at shutdown every client gets bye, and its connection is closed`() async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            await server.shutdown(reason: "going home", within: .seconds(10))
            #expect(try await client.notification().message() == Bye(reason: "going home"))
            #expect(await client.hasEnded())
            await #expect(throws: (any Error).self) { try await server.newcomer() }
            #expect(try server.directory.names.contains("control.sock") == false)
        }
    }

    @Test func `a client that does not read is cut off at the shutdown's limit, and others get their bye`()
        async throws
    {
        try await TestServer.with { server in
            let (deaf, other) = (try await server.socket(), try await server.client())
            try await deaf.setReading(false)
            for id in 0..<100 { try await deaf.send(Request(id: .integer(id), method: "frame.get").line) }
            // Another client's answer comes after the deaf one's requests.
            try await other.call("ping")
            await server.shutdown(reason: "going home", within: .milliseconds(50))
            #expect(try await other.notification().message() == Bye(reason: "going home"))
            #expect(await other.hasEnded())
            for await line in deaf.lines { #expect(!String(decoding: line, as: UTF8.self).contains("going home")) }
        }
    }
}
