import ControlTestSupport
import JSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct ConformanceTests {
    /// Lines and their answers, with errors reduced to their codes; nil for no answer.
    static let exchanges: [(String, String?)] = [
        (#"{"jsonrpc":"2.0","method":"ping","id":1}"#, #"{"jsonrpc":"2.0","result":{},"id":1}"#),
        (#"{"jsonrpc":"2.0","method":"ping","id":"a"}"#, #"{"jsonrpc":"2.0","result":{},"id":"a"}"#),
        (#"{"jsonrpc":"2.0","method":"ping","id":-1.5}"#, #"{"jsonrpc":"2.0","result":{},"id":-1.5}"#),
        (#"{"jsonrpc":"2.0","method":"ping","id":null}"#, #"{"jsonrpc":"2.0","result":{},"id":null}"#),
        ("  {\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1}\t\r", #"{"jsonrpc":"2.0","result":{},"id":1}"#),
        (#"{"jsonrpc":"2.0","method":"ping","params":{"extra":1},"id":1}"#, #"{"jsonrpc":"2.0","result":{},"id":1}"#),
        (#"{"jsonrpc":"2.0","method":"ping"}"#, nil),
        (#"{"jsonrpc":"2.0","method":"nonsense"}"#, nil),
        (#"{"jsonrpc":"2.0","method":"tempo.set","params":{"bpm":1}}"#, nil),
        (#"{"jsonrpc":"2.0","method":"nonsense","id":1}"#, #"{"jsonrpc":"2.0","error":-32601,"id":1}"#),
        (#"{"jsonrpc":"2.0","method":"ping","params":[],"id":1}"#, #"{"jsonrpc":"2.0","error":-32602,"id":1}"#),
        (#"{"jsonrpc":"2.0","method":"tempo.set","id":1}"#, #"{"jsonrpc":"2.0","error":-32602,"id":1}"#),
        (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, #"{"jsonrpc":"2.0","error":-32600,"id":null}"#),
        (#"{"jsonrpc":"2.0","method":"ping","id":{}}"#, #"{"jsonrpc":"2.0","error":-32600,"id":null}"#),
        ("", #"{"jsonrpc":"2.0","error":-32700,"id":null}"#),
        ("what?", #"{"jsonrpc":"2.0","error":-32700,"id":null}"#),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"\u{0}\",\"id\":1}", #"{"jsonrpc":"2.0","error":-32700,"id":null}"#),
        (
            #"{"jsonrpc":"2.0","method":"touch","params":{"x":NaN},"id":1}"#,
            #"{"jsonrpc":"2.0","error":-32700,"id":null}"#
        ),
        (
            String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
            #"{"jsonrpc":"2.0","error":-32700,"id":null}"#
        ),
        (String(repeating: "[", count: 400_000), #"{"jsonrpc":"2.0","error":-32700,"id":null}"#),
        ("[]", #"{"jsonrpc":"2.0","error":-32600,"id":null}"#),
        ("[1]", #"[{"jsonrpc":"2.0","error":-32600,"id":null}]"#),
        (#"[{"jsonrpc":"2.0","method":"ping"},{"jsonrpc":"2.0","method":"nonsense"}]"#, nil),
        (
            #"[{"jsonrpc":"2.0","method":"ping","id":1},{"jsonrpc":"2.0","method":"ping"},{"foo":"boo"},{"jsonrpc":"2.0","method":"nonsense","id":"5"},{"jsonrpc":"2.0","method":"library.list","id":"9"}]"#,
            #"[{"jsonrpc":"2.0","result":{},"id":1},{"jsonrpc":"2.0","error":-32600,"id":null},{"jsonrpc":"2.0","error":-32601,"id":"5"},{"jsonrpc":"2.0","result":[],"id":"9"}]"#
        ),
    ]

    @Test(arguments: Reach.allCases)
    func `every line is answered as JSON-RPC 2.0 says, and the connection stays open`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            for (line, answer) in Self.exchanges {
                try await client.send(line)
                if let answer {
                    let found = try await client.json().withErrorCodes
                    #expect(try found == JSONValue(parsing: answer), "\(line.prefix(100))")
                }
                // If no answer is due, none comes before this one.
                #expect(try await client.call("ping") == [:])
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `errors of notifications are counted, and change nothing`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.notify("nonsense")
            try await client.notify("tempo.set", ["bpm": 1000])
            try await client.notify("touch", TestClient.touch("down", 44, 0))
            try await client.notify("library.load", ["name": "nothing"])
            let statistics = try Statistics(json: try await client.call("stats.get"))
            #expect(statistics.errors == 4)
            #expect(try await client.call("state.get").objectValue?["bpm"] == 120)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `damaged lines get valid answers, in order, and do not affect other clients`(seed: UInt64) async throws {
        try await TestServer.with(.direct) { server in
            let (client, bystander) = (try await server.client(), try await server.client())
            try await DamagedLines(seed: seed).send(400, by: client)
            #expect(try await bystander.call("ping") == [:])
        }
    }
}

extension JSONValue {
    /// An answer, or a batch of them, with errors reduced to their codes.
    fileprivate var withErrorCodes: JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.withErrorCodes))
        case .object(var object):
            if let code = object["error"]?.objectValue?["code"] { object["error"] = code }
            return .object(object)
        default: return self
        }
    }
}
