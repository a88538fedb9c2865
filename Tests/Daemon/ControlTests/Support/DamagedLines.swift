import ControlTestSupport
import JSON
import TestSupport
import Testing
import Wire

/// Randomly damaged protocol lines, and a check that all answers are valid.
struct DamagedLines {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Sends a number of lines, each followed by a ping whose answer must come in order.
    func send(_ count: Int, by client: TestClient) async throws {
        var random = random
        for number in 0..<count {
            let line = LineMutator.mutate(ProtocolLines.all.randomElement(using: &random)!, using: &random)
            try await client.transport.send(line + [UInt8(ascii: "\n")])
            let id = JSONValue.string("after \(number)")
            try await client.send(JSONValue.object(["jsonrpc": "2.0", "method": "ping", "id": id]).text)
            while true {
                let answer = try await client.line()
                let value = try JSONValue(parsing: answer)
                if value == ["jsonrpc": "2.0", "result": [:], "id": id] { break }
                #expect(throws: Never.self, "\(answer.prefix(200))") {
                    try DamagedLines.check(value)
                }
            }
        }
    }

    private static func check(_ value: JSONValue) throws {
        for message in try DaemonMessage.messages(parsing: value.bytes) {
            if case .response(let response) = message, case .failure(let error) = response.result {
                try #require((-32700 ... -32001).contains(error.code.number))
                try #require(error.code != .internalError)
            }
        }
    }
}
