import Foundation
import GatewayTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(isLongRun ? 10 : 2)))
struct HostileTests {
    /// Inputs of each kind; `PIXELBOOP_WEB_INPUTS` overrides it.
    private static let count = repetitions("PIXELBOOP_WEB_INPUTS", 500, long: 2000)

    private static let requests = [
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "HEAD /app.js?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8044\r\nIf-None-Match: \"x\"\r\nConnection: keep-alive\r\n\r\n",
        "GET /socket HTTP/1.1\r\nHost: [::1]:8044\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://[::1]:8044\r\n"
            + "Sec-WebSocket-Protocol: pixelboop.v1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbodyGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "GET http://localhost/ HTTP/1.0\r\nHost: localhost\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ].map { Array($0.utf8) }

    /// First bytes, lengths and contents of frames, as ``HostileVisit/Kind/frames`` takes them.
    private static let frames: [[UInt8]] = [
        [0x81, 2, 0x7b, 0x7d], [0x01, 1, 0x7b, 0x80, 1, 0x7d], [0x89, 3, 1, 2, 3], [0x8a, 0], [0x88, 2, 3, 232],
        [0x01, 3, 0x7b, 0x20, 0x20, 0x00, 1, 0x20], [0x81, 255] + [UInt8](repeating: 0x20, count: 255),
        [0x82, 1, 0], [0x81, 2, 0xc3, 0x28], [0x88, 0], [0x81, 3, 0x7b, 0x0a, 0x7d],
    ]

    private func hostile(_ seeds: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += seeds.randomElement(using: &random) ?? [] }
        return LineMutator.damage(bytes, using: &random)
    }

    @Test(arguments: HostileVisit.Kind.allCases)
    func `every input gets a standard answer and leaves nothing behind`(kind: HostileVisit.Kind)
        async throws
    {
        let directory = try TemporaryDirectory()
        let visit = try await HostileVisit(tokenPath: directory.file("web-token"))
        var random = SeededGenerator(seed: UInt64(kind.rawValue))
        for number in 0..<Self.count {
            let seeds = kind == .requests ? Self.requests : Self.frames
            let bytes =
                Int.random(in: 0..<8, using: &random) == 0
                ? (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                : hostile(seeds, &random)
            await #expect(throws: Never.self, "input \(number): \(bytes)") { try await visit.say(bytes, as: kind) }
        }
    }
}
