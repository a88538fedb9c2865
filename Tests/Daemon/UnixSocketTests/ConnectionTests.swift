import ControlTestSupport
import Glibc
import JSON
import Music
import NIOCore
import PatternFormat
import Testing
import Wire

@testable import UnixSocket

/// Behaviour that only a real socket shows.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test func `a line of the maximum length is accepted`() async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            let frame = #"{"jsonrpc":"2.0","method":"ping","params":{"x":""},"id":1}"#
            let filling = String(repeating: "x", count: ControlProtocol.maximumLineLength - frame.utf8.count)
            try await client.send(frame.replacing(#""x":"""#, with: #""x":"\#(filling)""#))
            #expect(try await client.json() == ["jsonrpc": "2.0", "result": [:], "id": 1])
        }
    }

    @Test func `a longer line gets an error and ends the connection; others notice nothing`() async throws {
        try await TestServer.with { server in
            let (client, other) = (try await server.client(), try await server.client())
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: ControlProtocol.maximumLineLength + 1)
            try await client.transport.send(line + [10])
            let error = try await client.json().objectValue
            #expect(error?["id"] == .null)
            #expect(error?["error"]?.objectValue?["code"] == -32600)
            #expect(await client.hasEnded())
            #expect(try await other.call("ping") == [:])
            try await other.untilAlone()
        }
    }

    @Test func `a client that half-closes after too long a line gets all earlier answers`() async throws {
        try await TestServer.with(turn: .seconds(3600)) { server in
            let socket = try await server.socket()
            let (client, other) = (TestClient(over: socket), try await server.client())
            _ = try await client.notification()
            try await socket.setReading(false)
            // Their answers are more than fits into the socket.
            for id in 0..<20 { try await socket.send(Request(id: .integer(id), method: "frame.get").line) }
            // When this returns, the server has read more than it accepts, and refused the line.
            try await socket.send([UInt8](repeating: UInt8(ascii: "x"), count: 2 * ControlProtocol.maximumLineLength))
            try await socket.endInput()
            // By the second answer the server has also seen the end of the input.
            for _ in 0..<2 { try await other.call("ping") }
            try await socket.setReading(true)
            for id in 0..<20 { #expect(try await client.response().id == .integer(id)) }
            #expect(try await client.json().objectValue?["id"] == .null)
            #expect(await client.hasEnded())
        }
    }

    @Test func `a line may arrive in pieces`() async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            for byte in #"{"jsonrpc":"2.0","method":"ping","id":1}"#.utf8 { try await client.transport.send([byte]) }
            try await client.transport.send([10])
            #expect(try await client.json() == ["jsonrpc": "2.0", "result": [:], "id": 1])
        }
    }

    @Test func `a client that has ended its input is answered before the connection is closed`() async throws {
        try await TestServer.with { server in
            let client = try await server.client()
            await server.services.holdExports()
            let lines = [
                #"{"jsonrpc":"2.0","method":"export.wav","params":{"path":"/tmp/a.wav"},"id":1}"#,
                #"{"jsonrpc":"2.0","method":"rpc.discover","id":2}"#,
                // The last line may lack its newline.
                #"{"jsonrpc":"2.0","method":"ping","id":3}"#,
            ]
            try await client.transport.send(Array(lines.joined(separator: "\n").utf8))
            try await client.transport.endInput()
            try await server.client().call("ping")
            await server.services.releaseExports()
            for id in 1...3 { #expect(try await client.response().id == .integer(id)) }
            #expect(await client.hasEnded())
        }
    }

    @Test func `a client that sends requests and never reads is disconnected; others notice nothing`() async throws {
        try await TestServer.with { server in
            let other = try await server.client()
            let deaf = try await server.socket()
            try await deaf.setReading(false)
            let question = Request(id: .integer(1), method: "frame.get").line
            let questions = 4 * ControlProtocol.maximumUnread / (try await other.picture()).bytes.count
            for _ in 0..<questions { try? await deaf.send(question) }
            try await other.untilAlone()
            #expect(try await other.call("ping") == [:])
        }
    }

    @Test func `hundreds of clients may connect at once while the daemon is busy`() async throws {
        try await TestServer.with { server in
            let path = server.path
            // While this blocks the event loop, no client is accepted.
            let sockets = try await server.eventLoop.submit {
                try (0..<300).map { _ in
                    let socket = try makeUnixSocket()
                    #expect(fcntl(socket, F_SETFL, O_NONBLOCK) == 0)
                    #expect(try withUnixAddress(path) { connect(socket, $0, $1) } == 0)
                    return socket
                }
            }.get()
            for socket in sockets { Glibc.close(socket) }
        }
    }

    @Test func `clients that are gone before their welcome leave no trace`() async throws {
        try await TestServer.with { server in
            let path = server.path
            // While this blocks the event loop, no client is accepted.
            try await server.eventLoop.submit {
                for _ in 0..<8 {
                    let socket = try makeUnixSocket()
                    let result = try withUnixAddress(path) { connect(socket, $0, $1) }
                    #expect(result == 0)
                    Glibc.close(socket)
                }
            }.get()
            let client = try await server.client()
            try await client.untilAlone()
        }
    }

    @Test func `a batch with an answer beyond the unread limit ends the connection, not the daemon`() async throws {
        try await TestServer.with { server in
            let (client, other) = (try await server.client(), try await server.client())
            let calls = (0..<1000).map { _ in #"{"jsonrpc":"2.0","method":"frame.get","id":1}"# }
            try await client.send("[" + calls.joined(separator: ",") + "]")
            #expect(await client.hasEnded())
            #expect(try await other.call("ping") == [:])
        }
    }

    @Test func `a client that stops reading gets few diffs and the newest picture when it reads again`() async throws {
        try await TestServer.with { server in
            let editor = try await server.client()
            try await editor.call("pattern.set", ["pattern": PatternFormat.encode(Self.fullPattern)])
            let socket = try await server.socket()
            let slow = TestClient(over: socket)
            _ = try await slow.notification()
            var slowPicture = try await slow.subscribeToFrames(["maxFps": 240])
            var picture = try await editor.subscribeToFrames(["maxFps": 240])
            try await socket.setReading(false)
            for round in 0..<100 {
                try await editor.call("colors.set", ["mode": round.isMultiple(of: 2) ? "harmonic" : "chromatic"])
                try await picture.follow(editor, until: try await editor.picture())
            }
            let counts = try Statistics(json: try await editor.call("stats.get")).clients.map(\.frames)
            #expect(counts[0].sent >= 100)
            // The pictures that the kernel holds for it.
            #expect(counts[1].sent < 40)
            // A new picture: half of those in the kernel look like the last one.
            try await editor.call("tempo.set", ["bpm": 77])
            try await socket.setReading(true)
            try await slowPicture.follow(slow, until: try await editor.picture())
            let after = try Statistics(json: try await editor.call("stats.get")).clients.map(\.frames)
            #expect(after[1].sent < 45)
            #expect(after[1].dropped > 50)
        }
    }

    private static var fullPattern: Pattern {
        var pattern = Pattern()
        for step in 0..<SlotNotes.stepCount {
            for note in 0..<Track.noteCount where note != 1 {
                for track in [Track.chords, .bass, .rhythm] { pattern[track, note, step] = .normal }
            }
            pattern[.melody, 0, step] = .accent
        }
        return pattern
    }

    @Test func `hundreds of clients are served at once, and all see the same`() async throws {
        try await TestServer.with { server in
            let editor = try await server.client()
            let before = FollowedPicture(try await editor.picture())
            try await withThrowingTaskGroup(of: FollowedPicture.self) { group in
                let started = AsyncStream<Void>.makeStream()
                for _ in 0..<200 {
                    group.addTask {
                        let client = try await server.client()
                        var picture = try await client.subscribeToFrames()
                        started.continuation.yield()
                        // The control for minor; the picture may change before by itself.
                        while picture[8, 0] == before[8, 0] { try picture.apply(try await client.next()) }
                        // What it has followed is what it is shown when it asks.
                        try await picture.follow(client, until: try await client.picture())
                        return picture
                    }
                }
                var starts = started.stream.makeAsyncIterator()
                for _ in 0..<200 { await starts.next(isolation: nil) }
                try await editor.call("scale.set", ["scale": "minor"])
                var seen: [Int: FollowedPicture] = [:]
                for try await picture in group {
                    let other = seen.updateValue(picture, forKey: picture.sequence) ?? picture
                    #expect(picture.frame == other.frame)
                }
            }
        }
    }
}
