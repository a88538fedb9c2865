import ControlTestSupport
import JSON
import Synchronization
import Testing
import Wire

/// How much is done for one client before the others get their turns.
@Suite(.timeLimit(.minutes(1)))
struct TurnTests {
    private static let ping = Array(#"{"jsonrpc":"2.0","method":"ping","id":1}"#.utf8) + [UInt8(ascii: "\n")]

    /// Sends bytes from one client and a ping from another right after, before the server can do anything else.
    ///
    /// - Returns: How many lines each had been sent by then.
    private func answers(
        to bytes: [UInt8], before bystander: TestClient, by client: TestClient
    ) async throws -> [Int] {
        let transports = try [client, bystander].map { try #require($0.transport as? DirectTransport) }
        return try await DirectTransport.sendTogether([(transports[0], bytes), (transports[1], Self.ping)])
    }

    @Test(arguments: [(Duration.zero, 1), (.seconds(3600), 50)])
    func `a client's calls wait when its turn is over`(turn: Duration, expected: Int) async throws {
        try await TestServer.with(.direct, turn: turn) { server in
            let (client, bystander) = (try await server.client(), try await server.client())
            let lines = Array(repeating: Self.ping, count: 50).flatMap(\.self)
            #expect(try await answers(to: lines, before: bystander, by: client) == [expected, 1])
            for _ in 0..<50 { #expect(try await client.response().result == .success([:])) }
        }
    }

    @Test(arguments: [
        // Empty lines cost time too.
        Array(repeating: UInt8(ascii: "\n"), count: 50),
        Array(repeating: Array("nonsense\n".utf8), count: 50).flatMap(\.self),
    ])
    func `unreadable lines wait too`(lines: [UInt8]) async throws {
        try await TestServer.with(.direct, turn: .zero) { server in
            let (client, bystander) = (try await server.client(), try await server.client())
            #expect(try await answers(to: lines, before: bystander, by: client)[0] <= 1)
            for _ in 0..<50 {
                guard case .failure(let error) = try await client.response().result else {
                    Issue.record("accepted")
                    continue
                }
                #expect(error.code == .parseError)
            }
        }
    }

    @Test func `clients with more to do take turns`() async throws {
        try await TestServer.with(.direct, turn: .zero) { server in
            var clients: [TestClient] = []
            for _ in 0..<3 { clients.append(try await server.client()) }
            let transports = try clients.map { try #require($0.transport as? DirectTransport) }
            let lines = Array(repeating: Self.ping, count: 20).flatMap(\.self)
            server.answered.withLock { $0 = [] }
            #expect(try await DirectTransport.sendTogether(transports.map { ($0, lines) }) == [1, 1, 1])
            for client in clients {
                for _ in 0..<20 { #expect(try await client.response().result == .success([:])) }
            }
            let order = server.answered.withLock(\.self)
            #expect(order == Array(repeating: order.prefix(3), count: 20).flatMap(\.self))
        }
    }

    @Test(arguments: [
        #"[1\#(String(repeating: ",1", count: 20_000))]"#,
        #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\#(String(repeating: "x", count: 50_000))"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"pattern.set","params":{"pattern":{"tracks":{},"x":[\#(String(repeating: "[],", count: 10_000))1]}}}"#,
        String(repeating: " ", count: 50_000),
    ])
    func `a long line is not read on the control thread, and the next waits for it`(line: String) async throws {
        try await TestServer.with(.direct, turn: .seconds(3600)) { server in
            let (client, bystander) = (try await server.client(), try await server.client())
            let lines = Array(line.utf8) + [UInt8(ascii: "\n")] + Self.ping
            #expect(try await answers(to: lines, before: bystander, by: client) == [0, 1])
            _ = try await client.response()
            #expect(try await client.response() == Response(id: .integer(1), result: .success([:])))
        }
    }

    @Test func `a pattern is not encoded on the control thread, and is that of the call`() async throws {
        try await TestServer.with(.direct, turn: .seconds(3600)) { server in
            let (client, bystander) = (try await server.client(), try await server.client())
            let question = Request(id: .integer(7), method: "pattern.get").line
            let change = Request(id: nil, method: "tempo.set", parameters: .byName(["bpm": 200])).line
            #expect(try await answers(to: question + change + Self.ping, before: bystander, by: client) == [0, 1])
            let answer = try await client.response()
            #expect(answer.id == .integer(7))
            #expect(try answer.result.get().objectValue?["bpm"] == 120)
            #expect(try await client.response() == Response(id: .integer(1), result: .success([:])))
        }
    }

    @Test func `a client's calls before it left are carried out, even if its turn was over`() async throws {
        try await TestServer.with(.direct, turn: .zero) { server in
            let (client, bystander) = (try await server.client(), try await server.client())
            let lines = (1...20).flatMap {
                Request(id: nil, method: "tempo.set", parameters: .byName(["bpm": .integer(200 + $0)])).line
            }
            _ = try await answers(to: lines, before: bystander, by: client)
            await client.transport.close()
            _ = try await bystander.response()
            try await bystander.untilAlone()
            #expect(try await bystander.call("state.get").objectValue?["bpm"] == 220)
        }
    }

    @Test func `a client that leaves while its line is read, or before its turn, is forgotten`() async throws {
        try await TestServer.with(.direct, turn: .zero) { server in
            let bystander = try await server.client()
            for bytes in [Array(repeating: UInt8(ascii: " "), count: 50_000) + Self.ping, Self.ping + Self.ping] {
                let client = try await server.client()
                _ = try await answers(to: bytes, before: bystander, by: client)
                await client.transport.close()
                _ = try await bystander.response()
                try await bystander.untilAlone()
            }
        }
    }
}
