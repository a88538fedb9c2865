import Control
import ControlTestSupport
import Glibc
import Instrument
import JSON
import Music
import NIOCore
import Testing
import Wire

@testable import Session
@testable import UnixSocket

/// Clients that hang up just as the daemon writes to them.
@Suite(.timeLimit(.minutes(1)))
struct HangUpTests {
    @Test func `a client's last message is handled, even if the daemon notices its end by a write`() async throws {
        try await TestServer.with { server in
            let other = try await server.client()
            for round in 0..<20 {
                let tempo = Double(100 + round)
                let client = try HangUpPeer(path: server.path)
                try client.say(
                    Request(
                        id: .integer(1), method: "subscribe",
                        parameters: .byName(["topics": ["frame"], "maxFps": 240])
                    ).line)
                while try !client.hear().contains("\"id\":1") {}
                // Until the next picture may be sent; there is no event to wait for.
                try await Task.sleep(for: .milliseconds(10))
                // In one turn of the event loop, so that the daemon writes before it checks for input.
                try await server.eventLoop.submit {
                    let topics = Request(
                        id: .integer(2), method: "subscribe", parameters: .byName(["topics": ["frame"]]))
                    let picture = Request(id: .integer(3), method: "frame.get")
                    let change = Request(
                        id: nil, method: "tempo.set", parameters: .byName(["bpm": .number(tempo)]))
                    try client.say(topics.line + picture.line + change.line)
                    client.hangUp()
                    try server.session.assumeIsolated { session in
                        try session.perform(.set(.ghosts, to: .toggle(round % 2 == 0)), at: ControlClock.now)
                    }
                    server.control.wake()
                }.get()
                try await other.untilAlone()
                #expect(try await other.call("state.get").objectValue?["bpm"]?.doubleValue == tempo)
            }
        }
    }
}

/// A client without an event loop, so that it acts exactly when the test says so.
private final class HangUpPeer: Sendable {
    struct Gone: Error {}

    private let descriptor: CInt

    init(path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard try withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else { throw Gone() }
    }

    func say(_ bytes: [UInt8]) throws {
        guard send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else { throw Gone() }
    }

    func hear() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Gone() }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    func hangUp() { close(descriptor) }
}
