import JSON
import TestSupport
import Testing
import Wire

/// Lines of the protocol, damaged at random, and a check that whatever comes back is legal.
struct DamagedLines {
    private static let lines = [
        #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"down","x":4.5,"y":4.5},"id":1}"#,
        #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"move","x":14.5,"y":4.5}}"#,
        #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"up","x":24.5,"y":9.5},"id":2}"#,
        #"{"jsonrpc":"2.0","method":"touch","params":{"touch":2,"phase":"down","x":0.5,"y":0.5},"id":1}"#,
        #"{"jsonrpc":"2.0","method":"note.set","params":{"track":"melody","step":3,"note":4,"velocity":"accent"},"id":3}"#,
        #"{"jsonrpc":"2.0","method":"pattern.set","params":{"pattern":{"bpm":99,"tracks":{"bass":{"notes":[{"col":4,"pitch":36,"velocity":"normal"}]}}}},"id":4}"#,
        #"{"jsonrpc":"2.0","method":"track.set","params":{"track":"bass","gain":-3,"pan":0.5,"mute":true},"id":5}"#,
        #"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["frame","state","tooltip"],"maxFps":30},"id":6}"#,
        #"{"jsonrpc":"2.0","method":"hello","params":{"client":"x","touch":{"resolution":"cell","pitch":9}},"id":7}"#,
        #"[{"jsonrpc":"2.0","method":"length.set","params":{"length":8},"id":8},{"jsonrpc":"2.0","method":"state.get","id":9}]"#,
        #"{"jsonrpc":"2.0","method":"library.save","params":{"name":"a"},"id":10}"#,
        #"{"jsonrpc":"2.0","method":"export.midi","params":{"loops":2},"id":11}"#,
        #"{"jsonrpc":"2.0","method":"transport.locate","params":{"step":4},"id":12}"#,
        #"{"jsonrpc":"2.0","method":"frame.get","id":13}"#,
    ]

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Sends so many lines; each is followed by a question that only the daemon's next answer in order can answer.
    func send(_ count: Int, by client: TestClient) async throws {
        var random = random
        for number in 0..<count {
            let line = LineMutator.mutate(Self.lines.randomElement(using: &random)!, using: &random)
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
