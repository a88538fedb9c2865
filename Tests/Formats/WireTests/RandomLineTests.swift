import JSON
import TestSupport
import Testing
import Wire

struct RandomLineTests {
    @Test func `the lines that are damaged for tests of the daemon call every method`() {
        let missing = Methods.all.map(\.name).filter { name in
            !ProtocolLines.all.contains { $0.contains(#""method":"\#(name)""#) }
        }
        #expect(missing == [])
    }

    private static let seeds: [String] = [
        #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"down","x":4.5,"y":4.5},"id":1}"#,
        #"[{"jsonrpc":"2.0","method":"ping","id":"a"},{"jsonrpc":"2.0","method":"ping"}]"#,
        #"{"jsonrpc":"2.0","method":"frame","params":{"seq":2,"base":1,"cells":[0,1,2,3]}}"#,
        #"{"jsonrpc":"2.0","result":{"seq":1},"id":3}"#,
        #"{"jsonrpc":"2.0","error":{"code":-32602,"message":"x","data":[1e5]},"id":null}"#,
    ]

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `mutated lines are read or refused on both sides, and never crash`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<1500 {
            let line = LineMutator.mutate(Self.seeds.randomElement(using: &random)!, using: &random)
            do {
                _ = try IncomingLine(parsing: line)
            } catch {
                refused += 1
                #expect(error.code == .parseError || error.code == .invalidRequest)
                #expect(throws: Never.self) { try JSONValue(parsing: Response.bytes(id: .null, error: error)) }
            }
            _ = try? DaemonMessage.messages(parsing: line)
        }
        // Neither all nor none: the mutations reach both outcomes.
        #expect((100..<1400).contains(refused))
    }
}
