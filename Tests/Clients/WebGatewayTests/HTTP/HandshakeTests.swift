import CannedDaemon
import GatewayTestSupport
import Testing

@testable import WebGateway

@Suite(.timeLimit(.minutes(1)))
struct HandshakeTests {
    private func answer(to request: (Browser) -> String) async throws -> Browser.Answer {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            return try await browser.ask(request(browser))
        }
    }

    @Test func `the gateway's own page is admitted`() async throws {
        let answer = try await answer(to: { $0.handshake() })
        #expect(answer.status == 101)
        // The example of RFC 6455, 1.3.
        #expect(answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(answer.headers["sec-websocket-protocol"] == "pixelboop.v1")
    }

    @Test func `a client that asks for no subprotocol gets none`() async throws {
        let answer = try await answer(to: { $0.handshake(subprotocol: nil) })
        #expect(answer.status == 101)
        #expect(answer.headers["sec-websocket-protocol"] == nil)
    }

    @Test func `the subprotocol may be one of several`() async throws {
        let answer = try await answer(to: { $0.handshake(subprotocol: "other, pixelboop.v1") })
        #expect(answer.headers["sec-websocket-protocol"] == "pixelboop.v1")
    }

    @Test(arguments: [
        "http://example.org", "https://localhost.example.org", "null", "http://127.0.0.1", "file://",
        "http://localhost@example.org",
    ])
    func `a page on another origin is refused`(origin: String) async throws {
        #expect(try await answer(to: { $0.handshake(origin: origin) }).status == 403)
    }

    @Test func `a page on another port of this machine is refused`() async throws {
        let request: (Browser) -> String = { $0.request("/socket", further: ["Origin: http://localhost:1"]) }
        let upgrade = "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
        let key = "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        #expect(try await answer(to: { request($0).dropLast(4) + upgrade + key }).status == 403)
    }

    @Test func `a page at a rebound name is refused, although its origin is that name`() async throws {
        let answer = try await answer(to: { $0.handshake(host: "example.org", origin: "http://example.org") })
        #expect(answer.status == 403)
    }

    @Test func `a plain request for the socket is answered with the protocol to upgrade to`() async throws {
        let answer = try await answer(to: { $0.request("/socket") })
        #expect(answer.status == 426)
        #expect(answer.headers["upgrade"] == "websocket")
    }

    @Test(arguments: ["8", "14", "x", nil])
    func `another WebSocket version is answered with the supported one`(version: String?) async throws {
        let answer = try await answer(to: { $0.handshake(version: version) })
        #expect(answer.status == 426)
        #expect(answer.headers["sec-websocket-version"] == "13")
    }

    @Test(arguments: ["", "x", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ!==", nil])
    func `an invalid key is refused`(key: String?) async throws {
        #expect(try await answer(to: { $0.handshake(key: key) }).status == 400)
    }

    @Test func `another subprotocol is refused`() async throws {
        #expect(try await answer(to: { $0.handshake(subprotocol: "pixelboop.v2") }).status == 400)
    }

    @Test func `other paths are not WebSockets`() async throws {
        #expect(try await answer(to: { $0.handshake(path: "/") }).status == 200)
        #expect(try await answer(to: { $0.handshake(path: "/socket2") }).status == 404)
    }

    @Test func `data right after the request is not lost`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            try await browser.socket.send(Array(browser.handshake().utf8) + Browser.frame(0x81, Array("{}".utf8)))
            #expect(try await browser.answer().status == 101)
            #expect(try await gateway.greet().receiveLine() == "{}")
        }
    }

    @Test func `a connection that loaded the page can become a WebSocket`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            #expect(try await browser.ask(browser.request("/")).status == 200)
            try await browser.connect()
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
        }
    }
}
