import GatewayTestSupport
import Glibc
import ServerSupport
import TestSupport
import Testing

@testable import WebGateway

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    private func answer(
        with change: (inout GatewaySettings) -> Void = { _ in }, to request: (Browser) -> String
    ) async throws -> Browser.Answer {
        try await TestGateway.with(change) { gateway in
            let browser = try gateway.browser()
            return try await browser.ask(request(browser))
        }
    }

    @Test func `the page is served`() async throws {
        let answer = try await answer(to: { $0.request("/") })
        #expect(answer.status == 200)
        #expect(answer.body.hasPrefix("<!doctype html>"))
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.headers["cache-control"] == "no-cache")
    }

    @Test(arguments: ["/", "/nowhere", "/socket"])
    func `every answer restricts what the page may do`(path: String) async throws {
        let headers = try await answer(to: { $0.request(path) }).headers
        #expect(
            headers["content-security-policy"] == """
                default-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; \
                frame-ancestors 'none'
                """)
        #expect(headers["x-content-type-options"] == "nosniff")
        #expect(headers["referrer-policy"] == "no-referrer")
    }

    @Test func `a HEAD is answered like a GET, without the page`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            let head = try await browser.ask(browser.request("/", method: "HEAD"))
            let get = try await browser.ask(browser.request("/"))
            #expect(head.headers == get.headers)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test func `a browser that accepts gzip gets fewer bytes, with another tag`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            let plain = try await browser.ask(browser.request("/app.js"))
            #expect(plain.headers["content-encoding"] == nil)
            let accepts = "Accept-Encoding: gzip, deflate, br, zstd"
            let packed = try await browser.ask(browser.request("/app.js", method: "HEAD", further: [accepts]))
            #expect(packed.headers["content-encoding"] == "gzip")
            let (size, packedSize) = (plain.headers["content-length"], packed.headers["content-length"])
            #expect(try #require(packedSize.flatMap(Int.init)) < #require(size.flatMap(Int.init)) / 2)
            #expect(plain.headers["vary"] == "Accept-Encoding" && packed.headers["vary"] == "Accept-Encoding")
            let tag = try #require(packed.headers["etag"])
            #expect(tag != plain.headers["etag"])
            let known = try await browser.ask(browser.request("/app.js", further: [accepts, "If-None-Match: \(tag)"]))
            #expect(known.status == 304)
        }
    }

    @Test func `a browser that has the file is answered with Not Modified`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            let tag = try #require(try await browser.ask(browser.request("/")).headers["etag"])
            for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try await browser.ask(browser.request("/", further: ["If-None-Match: \(known)"]))
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
                #expect(again.headers["etag"] == tag)
            }
            let other = try await browser.ask(browser.request("/", further: ["If-None-Match: \"x\""]))
            #expect(other.status == 200)
        }
    }

    @Test func `a query after the path changes nothing`() async throws {
        #expect(try await answer(to: { $0.request("/?utm=1") }).status == 200)
    }

    @Test(arguments: ["/nowhere", "/index.htm", "//", "/..", "/%2e%2e/etc/passwd", "/app.js/", "/APP.JS", "*"])
    func `paths that do not exist are not found`(path: String) async throws {
        #expect(try await answer(to: { $0.request(path) }).status == 404)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
    func `other methods are not allowed`(method: String) async throws {
        let answer = try await answer(to: { $0.request("/", method: method) })
        #expect(answer.status == 405)
        #expect(answer.headers["allow"] == "GET, HEAD")
        #expect(answer.headers["connection"] == "close")
    }

    @Test(arguments: ["example.org", "localhost.example.org", "127.0.0.1.example.org"])
    func `a rebound name is refused`(host: String) async throws {
        #expect(try await answer(to: { $0.request("/", host: host) }).status == 403)
    }

    @Test(arguments: ["localhost", "127.0.0.1", "[::1]", "studio.example.org"])
    func `its own names, addresses and allowed names are accepted`(host: String) async throws {
        let names = HostNames(further: ["studio.example.org"])
        let status = try await answer(with: { $0.access.names = names }, to: { $0.request("/", host: host) }).status
        #expect(status == 200)
    }

    @Test(arguments: [[], ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: example.org"]])
    func `a request without exactly one Host is refused`(hosts: [String]) async throws {
        #expect(try await answer(to: { $0.request("/", host: nil, further: hosts) }).status == 400)
    }

    @Test(arguments: [
        "Host", "Origin", "Connection", "Upgrade", "Sec-WebSocket-Version", "Sec-WebSocket-Key",
        "Sec-WebSocket-Protocol", "If-None-Match", "Accept-Encoding",
    ])
    func `a header that is used must be ASCII`(name: String) async throws {
        let header = "\(name): \(String.combiningMarks(6000))"
        let answer = try await answer(
            to: { $0.request(host: name == "Host" ? nil : "localhost", further: [header]) })
        #expect(answer.status == 400)
        #expect(answer.body == "the path and the headers that are used here must be ASCII\n")
    }

    @Test func `a path must be ASCII, other headers need not be`() async throws {
        #expect(try await answer(to: { $0.request("/" + .combiningMarks(6000)) }).status == 400)
        #expect(try await answer(to: { $0.request("/?" + .combiningMarks(6000)) }).status == 400)
        let cookie = "Cookie: a=\(String.combiningMarks(6000))"
        #expect(try await answer(to: { $0.request(further: [cookie]) }).status == 200)
    }

    @Test func `a head of more than 16 KiB is too large`() async throws {
        let long = (0..<5).map { "X-\($0): " + String(repeating: "x", count: 4000) }
        #expect(try await answer(to: { $0.request("/", further: long) }).status == 431)
        #expect(try await answer(to: { $0.request("/", further: Array(long.dropLast(2))) }).status == 200)
        let field = "X: " + String(repeating: "x", count: 20_000)
        #expect(try await answer(to: { $0.request("/", further: [field]) }).status == 431)
    }

    @Test func `an overlong path is too large as well`() async throws {
        let path = "/" + String(repeating: "x", count: 20_000)
        #expect([414, 431].contains(try await answer(to: { $0.request(path) }).status))
    }

    @Test func `a body is refused`() async throws {
        #expect(try await answer(to: { $0.request("/", further: ["Content-Length: 5"]) + "hello" }).status == 413)
    }

    @Test(arguments: [
        "hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nHost localhost\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "\0\0\0\0",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ])
    func `anything but a request is a bad request`(text: String) async throws {
        #expect(try await answer(to: { _ in text }).status == 400)
    }

    @Test func `other HTTP versions are refused`() async throws {
        #expect(try await answer(to: { _ in "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n" }).status == 505)
    }

    @Test func `a request that arrives too slowly times out`() async throws {
        let answer = try await answer(
            with: { $0.requestTime = .milliseconds(100) }, to: { _ in "GET / HTTP/1.1\r\nHost: local" })
        #expect(answer.status == 408)
    }

    @Test func `an idle connection is closed`() async throws {
        try await TestGateway.with {
            // The first request has to arrive within it, too.
            $0.requestTime = .seconds(2)
        } _: { gateway in
            let browser = try gateway.browser()
            #expect(try await browser.ask(browser.request("/")).status == 200)
            #expect(await browser.socket.rest().isEmpty)
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            let paths = ["/", "/app.js", "/"]
            try await browser.socket.send(paths.map { browser.request($0) }.joined())
            for path in paths {
                let type = try await browser.answer().headers["content-type"]
                #expect(type == (path == "/" ? "text/html; charset=utf-8" : "text/javascript; charset=utf-8"))
            }
        }
    }

    @Test func `a client that sends requests without reading answers is cut off`() async throws {
        try await TestGateway.with { gateway in
            var ends: [CInt] = [0, 0]
            guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw RawSocket.Ended()
            }
            let hasty = RawSocket(adopting: ends[1])
            _ = try gateway.gateway.serve(ends[0])
            let request = "GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await hasty.send(String(repeating: request, count: 1000))
            // Once later requests of others have been answered, everything read from this client has been too.
            let other = try gateway.browser()
            for _ in 0..<3 { _ = try await other.ask(other.request("/")) }
            // All answers would have more than fifteen megabytes.
            #expect(await hasty.rest().count < 2_000_000)
        }
    }

    @Test func `with HTTP/1.0 the connection ends with the answer`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            let answer = try await browser.ask("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            #expect(answer.status == 200)
            #expect(await browser.socket.rest().isEmpty)
        }
    }

    @Test func `an offer of HTTP/2 is ignored`() async throws {
        let offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"]
        #expect(try await answer(to: { $0.request("/", further: offer) }).status == 200)
    }

    @Test func `connections beyond the limit are closed, and existing ones continue`() async throws {
        try await TestGateway.with {
            $0.connectionLimits.total = 2
        } _: { gateway in
            let browsers = [try gateway.browser(), try gateway.browser()]
            for browser in browsers { _ = try await browser.ask(browser.request("/")) }
            let third = try gateway.browser()
            #expect(await third.socket.rest().isEmpty)
            for browser in browsers { #expect(try await browser.ask(browser.request("/")).status == 200) }
        }
    }
}
