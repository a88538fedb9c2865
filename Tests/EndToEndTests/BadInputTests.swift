import DaemonTestSupport
import Foundation
import JSON
import JackTestSupport
import PixelBoopClient
import Testing

/// Bad input: each kind gets its answer, and the audio continues.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
    private static let lines: [(line: String, code: Int?)] = [
        ("this is not JSON", -32700),
        (#"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"touch":1,"phase":"down","x":NaN,"y":3}}"#, -32700),
        (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), -32700),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"no.such"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tempo.set","params":{"bpm":"fast"}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tempo.set","params":{"bpm":301}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"note.set","params":[1,2,3]}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"touch":1,"phase":"down","x":44,"y":3}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"touch":1,"phase":"hover","x":4,"y":3}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"transport.locate","params":{"step":32}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, nil),
    ]

    @Test func `each kind gets its answer and the audio continues`() async throws {
        try await Stage.with { stage in
            let player = try await stage.connect()
            for step in 0..<16 { try await player.setNote(.rhythm, step: 2 * step, note: 7, .accent) }
            try await player.play()
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            #expect(await recorder.hear(channel: 0))

            let client = try RawClient(path: stage.daemon.socketPath)
            #expect(await client.line()?.contains("welcome") == true)
            for (line, code) in Self.lines {
                try client.send(line)
                let reply = try #require(await client.line())
                let error = try JSONValue(parsing: reply).objectValue?["error"]?.objectValue
                #expect(error?["code"]?.intValue == code, "\(line) -> \(reply)")
                #expect(code == nil || error?["message"]?.stringValue?.isEmpty == false)
            }
            try await checkLineLimit(stage)
            try await checkVanishing(stage, seenBy: player)

            #expect(await recorder.record(frames: 24000))
            // A closed hat every quarter of a second: the audio never paused for longer.
            #expect(recorder.recording.isContinuous)
            #expect(await recorder.hear(channel: 0))
        }
    }

    /// A line that is too long gets an error, then the connection is closed.
    private func checkLineLimit(_ stage: Stage) async throws {
        let client = try RawClient(path: stage.daemon.socketPath)
        _ = await client.line()
        // The daemon may close while the line is still being written.
        try? client.send(String(repeating: "x", count: 4 << 20))
        let reply = await client.line()
        #expect(reply?.contains("-32600") == true || reply?.contains("-32700") == true)
        #expect(await client.line() == nil)
    }

    /// A client that goes away with its finger on the grid leaves nothing there.
    private func checkVanishing(_ stage: Stage, seenBy player: PixelBoopClient) async throws {
        let before = try await player.pattern()
        let client = try RawClient(path: stage.daemon.socketPath)
        _ = await client.line()
        try client.send(#"{"jsonrpc":"2.0","method":"touch","params":{"touch":9,"phase":"down","x":4.5,"y":3.5}}"#)
        try client.send(
            #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"touch":9,"phase":"move","x":20.5,"y":3.5}}"#)
        _ = await client.line()
        client.hangUp()
        #expect(try await player.pattern() == before)
    }
}
