import CannedDaemon
import Foundation
import GatewayTestSupport
import JSON
import NIOCore
import Testing
import Wire

@testable import WebGateway

@Suite(.timeLimit(.minutes(1)))
struct RelayTests {
    @Test func `lines go both ways, unchanged and in order`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            let lines =
                ["{}", "", " { \"a\" : 1.0 } ", "not JSON", "grüße 🎹", String(repeating: "x", count: 125)]
                + [126, 65_535, 65_536, 2_097_152].map { String(repeating: "y", count: $0) }
            for line in lines {
                try await browser.say(line)
                #expect(await daemon.receiveLine() == line)
                try await daemon.send(line: line)
                #expect(try await browser.message() == line)
            }
        }
    }

    @Test func `a page on this machine gets the addresses for others, and again after each new token`() async throws {
        try await TestGateway.with(on: "0.0.0.0") {
            $0.hosts = ["studio.local"]
        } _: { gateway in
            let (browser, _) = try await gateway.page()
            func hears(_ token: String) async throws -> Bool {
                try await browser.hears(of: ["http://studio.local:\(gateway.port)/#\(token)"])
            }
            let file = URL(filePath: gateway.tokenFile.path)
            #expect(try await hears(gateway.token))
            #expect(try await hears(gateway.tokenFile.replace().text))
            // Written in place.
            let own = Token().text
            try Data("\(own)\n".utf8).write(to: file)
            #expect(try await hears(own))
            // The folder is replaced; the old one is removed or renamed.
            let folder = file.deletingLastPathComponent()
            try FileManager.default.removeItem(at: folder)
            #expect(try await hears(gateway.tokenFile.replace().text))
            let elsewhere = folder.appendingPathExtension("old")
            try FileManager.default.moveItem(at: folder, to: elsewhere)
            defer { try? FileManager.default.removeItem(at: elsewhere) }
            #expect(try await hears(gateway.tokenFile.replace().text))
        }
    }

    @Test(arguments: [("studio.local", true), ("127.0.0.1", false), ("localhost", false)])
    func `a page with a token gets its own address first, unless that is local`(
        host: String, isFirst: Bool
    ) async throws {
        try await TestGateway.with(on: "0.0.0.0") {
            $0.hosts = ["stage.local", "studio.local"]
            $0.access.names = HostNames(further: $0.hosts)
        } _: { gateway in
            let browser = try gateway.browser()
            try await browser.connect(host: host, origin: "https://\(host)")
            try await browser.authenticate(gateway.token)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
            let own = ["https://\(host)"]
            let known = ["http://stage.local", "http://studio.local"]
            let token = try gateway.token
            let addresses = ((isFirst ? own : []) + known).map { "\($0):\(gateway.port)/#\(token)" }
            #expect(try await browser.hears(of: addresses))
        }
    }

    @Test func `if only this machine is served, no addresses are sent`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            try await daemon.send(line: "next")
            #expect(try await browser.message() == "next")
        }
    }

    @Test func `lines that arrive together become one message each`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            let lines = (0..<500).map { "line \($0)" }
            try await daemon.send(Array(lines.map { $0 + "\n" }.joined().utf8))
            for line in lines { #expect(try await browser.message() == line) }
        }
    }

    @Test func `the daemon learns of a remote client before anything else, and its answer reaches no page`()
        async throws
    {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.say("early")
            let peer = try await gateway.daemon.welcome()
            let hello = try #require(try await peer.receive())
            #expect(hello.method == "hello")
            #expect(hello.parameters == .byName(["client": "pixelboop-web", "remote": true]))
            try await peer.answer(hello, .success(["remote": true]))
            #expect(await peer.receiveLine() == "early")
            try await peer.send(line: "after")
            #expect(try await browser.message().contains("\"welcome\""))
            #expect(try await browser.message() == "after")
        }
    }

    @Test func `a daemon that does not know remote clients is not used`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.say("early")
            let peer = try await gateway.daemon.welcome()
            let hello = try #require(try await peer.receive())
            try await peer.answer(hello, .success(.object(Welcome(version: "old").json)))
            #expect(try await browser.closing() == .daemonTooOld)
            #expect(await peer.receiveLine() == nil)
        }
    }

    @Test func `a daemon's refusal is passed on`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            let peer = try await gateway.daemon.accept()
            try await peer.send(line: #"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":"full"}}"#)
            #expect(try await browser.closing() == PageClose(code: 1013, reason: "full"))
        }
    }

    @Test func `a daemon that does not answer is given up`() async throws {
        try await TestGateway.with {
            $0.daemonTime = .milliseconds(100)
        } _: { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            // On a busy machine the gateway has given up before this is written.
            _ = try? await gateway.daemon.welcome()
            #expect(try await browser.closing() == .daemonSilent)
        }
    }

    // The longer one is as long as a socket's path can be.
    @Test(arguments: ["/nowhere/control.sock", "/nowhere/" + String(repeating: "x", count: 98)])
    func `without a daemon the page is served, and its connection is closed with the reason`(
        socket: String
    ) async throws {
        try await TestGateway.with {
            $0.socketPath = socket
        } _: { gateway in
            let browser = try gateway.browser()
            #expect(try await browser.ask(browser.request("/")).status == 200)
            try await browser.connect()
            #expect(
                try await browser.closing()
                    == PageClose(code: 1013, reason: "no pixelboopd: No such file or directory"))
        }
    }

    @Test func `when the daemon ends, the page's connection ends after the last line`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            try await daemon.send(line: "bye")
            try await daemon.close()
            #expect(try await browser.message() == "bye")
            #expect(try await browser.closing() == .daemonEnded)
        }
    }

    @Test(arguments: [true, false])
    func `when the page leaves, its connection to the daemon ends`(inOrder: Bool) async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            if inOrder { try await browser.send(0x88, [3, 232]) } else { browser.socket.finish() }
            #expect(await daemon.receiveLine() == nil)
            if inOrder { #expect(try await browser.closing() == PageClose(code: 1000, reason: "")) }
        }
    }

    @Test(arguments: [Browser.frame(0x88, [3, 232]), Browser.frame(0x82, [0])])
    func `the daemon gets what came before the page's end, even in the same packet`(end: [UInt8]) async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            let calls = (0..<100).map { "call \($0)" }
            try await browser.socket.send(calls.flatMap { Browser.frame(0x81, Array($0.utf8)) } + end)
            for call in calls { #expect(await daemon.receiveLine() == call) }
            #expect(await daemon.receiveLine() == nil)
            _ = try await browser.closing()
        }
    }

    @Test(arguments: [Browser.frame(0x88, [3, 232]), Browser.frame(0x82, [0])])
    func `a page that has left before the daemon accepts it is heard all the same`(end: [UInt8]) async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            // A program: without an origin it needs the token.
            try await browser.connect(origin: nil)
            let token = try gateway.token
            let messages = [#"{"jsonrpc":"2.0","method":"authenticate","params":{"token":"\#(token)"}}"#, "call"]
            try await browser.socket.send(messages.flatMap { Browser.frame(0x81, Array($0.utf8)) } + end)
            _ = try await browser.closing()
            let daemon = try await gateway.greet()
            #expect(await daemon.receiveLine() == "call")
            #expect(await daemon.receiveLine() == nil)
        }
    }

    @Test(
        arguments: [
            ([3, 232], 1000), ([3, 232, 0x7a], 1000), ([0x0f, 0xa0], 4000), ([3], 1002), ([3, 237], 1002),
            ([0, 0], 1002),
            ([0xe8, 0x81], 1002), ([3, 232, 0xff], 1002),
        ] as [([UInt8], UInt16)])
    func `a page's close frame is answered with its code, if valid`(payload: [UInt8], code: UInt16) async throws {
        try await TestGateway.with { gateway in
            let (browser, _) = try await gateway.page()
            try await browser.send(0x88, payload)
            #expect(try await browser.closing().code == code)
        }
    }

    @Test func `pages are notified when the gateway stops`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            await gateway.gateway.shutdown(within: .seconds(5))
            #expect(try await browser.closing() == .ending)
            #expect(await daemon.receiveLine() == nil)
        }
    }

    @Test func `a page that does not answer the close is cut off at the stop's limit`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            await gateway.gateway.shutdown(within: .milliseconds(50))
            #expect(try await browser.closing() == .ending)
            #expect(await browser.socket.rest().isEmpty)
            #expect(await daemon.receiveLine() == nil)
        }
    }

    @Test func `pages beyond the limit are refused, and can connect when another has left`() async throws {
        try await TestGateway.with {
            $0.maximumPages = 1
        } _: { gateway in
            let (first, daemon) = try await gateway.page()
            let second = try gateway.browser()
            try await second.connect()
            #expect(try await second.closing() == .tooManyPages)
            try await first.send(0x88, [])
            #expect(await daemon.receiveLine() == nil)
            _ = try await gateway.page()
        }
    }

    @Test func `a page's loudspeaker does not take up another page's place`() async throws {
        try await TestGateway.with {
            $0.maximumPages = 1
        } _: { gateway in
            let (_, _) = try await gateway.page()
            let loudspeaker = try gateway.browser()
            try await loudspeaker.connect(path: "/socket?audio")
            let daemon = try await gateway.greet()
            #expect(try await loudspeaker.message().contains("welcome"))
            try await loudspeaker.say("{}")
            #expect(await daemon.receiveLine() == "{}")
            let another = try gateway.browser()
            try await another.connect(path: "/socket?audio")
            #expect(try await another.closing() == .tooManyPages)
        }
    }

    // MARK: Frames

    private static let text: UInt8 = 0x81
    private static let tooLong = [UInt8](repeating: 0x20, count: GatewaySettings.maximumMessage + 1)

    @Test(
        arguments: [
            (0x82, [1], PageClose.binary), (0x81, [0xff], .notText), (0x81, [0xc0, 0x80], .notText),
            (0x81, [0xed, 0xa0, 0x80], .notText), (0x81, [0x7b, 0x0a, 0x7d], .newline), (0x81, Self.tooLong, .tooLong),
            (0x83, [], .notUnderstood), (0x8b, [], .notUnderstood), (0xc1, [], .notUnderstood),
            (0x80, [], .notUnderstood),
            (0x09, [], .notUnderstood), (0x89, [UInt8](repeating: 0, count: 126), .notUnderstood),
        ] as [(UInt8, [UInt8], PageClose)])
    func `an invalid message ends the connection`(firstByte: UInt8, payload: [UInt8], reason: PageClose) async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            try await browser.send(firstByte, payload)
            #expect(try await browser.closing() == reason)
            #expect(await daemon.receiveLine() == nil)
        }
    }

    @Test func `an unmasked frame ends the connection`() async throws {
        try await TestGateway.with { gateway in
            let (browser, _) = try await gateway.page()
            try await browser.send(0x81, Array("{}".utf8), isMasked: false)
            #expect(try await browser.closing() == .notUnderstood)
        }
    }

    @Test func `a message may come in fragments, with a ping in between and a character split in two`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            let bytes = Array("grüße".utf8)
            try await browser.send(0x01, Array(bytes[..<3]))
            try await browser.send(0x89, [1, 2, 3])
            try await browser.send(0x00, [])
            try await browser.send(0x80, Array(bytes[3...]))
            #expect(await daemon.receiveLine() == "grüße")
            let pong = try await browser.frame()
            #expect(pong.firstByte == 0x8a)
            #expect(pong.payload == [1, 2, 3])
        }
    }

    @Test func `fragments that are too long together end the connection`() async throws {
        try await TestGateway.with { gateway in
            let (browser, _) = try await gateway.page()
            let part = [UInt8](repeating: 0x20, count: GatewaySettings.maximumMessage / 2 + 1)
            try await browser.send(0x01, part)
            try await browser.send(0x80, part)
            #expect(try await browser.closing() == .tooLong)
        }
    }

    @Test func `incomplete messages use a limited amount of memory, which is freed in the end`()
        async throws
    {
        try await TestGateway.with { gateway in
            let half = Browser.frame(0x01, [UInt8](repeating: 0x20, count: 300_000))
            var browsers: [Browser] = []
            for _ in 0..<40 {
                let (browser, daemon) = try await gateway.page()
                try await browser.socket.send(half)
                // When this is answered, the message has been read, or there was no room for it.
                try await browser.send(0x89, [1])
                let frame = try await browser.frame()
                if frame.firstByte == 0x88 {
                    #expect(await daemon.receiveLine() == nil)
                } else {
                    browsers.append(browser)
                }
                #expect(try await gateway.gateway.unfinishedBytes <= GatewaySettings.maximumUnfinished)
            }
            #expect((8..<40).contains(browsers.count))
            // Short messages still pass.
            let (browser, daemon) = try await gateway.page()
            try await browser.send(0x01, [UInt8](repeating: 0x20, count: 8000))
            try await browser.send(0x80, [UInt8](repeating: 0x20, count: 8000))
            #expect(await daemon.receiveLine()?.count == 16_000)
            // Long ones pass as soon as there is room.
            try await browsers[0].send(0x80, [])
            try await browsers[1].send(0x88, [3, 232])
            _ = try await browsers[1].closing()
            try await browser.say(String(repeating: " ", count: 500_000))
            #expect(await daemon.receiveLine()?.count == 500_000)
            browsers = []
            try await browser.send(0x88, [])
            await gateway.gateway.shutdown(within: .milliseconds(100))
            #expect(try await gateway.gateway.unfinishedBytes == 0)
        }
    }

    @Test func `a new message in the middle of another ends the connection`() async throws {
        try await TestGateway.with { gateway in
            let (browser, _) = try await gateway.page()
            try await browser.send(0x01, [0x20])
            try await browser.send(0x81, [0x20])
            #expect(try await browser.closing() == .notUnderstood)
        }
    }
}

extension Browser {
    /// Whether the next message has these addresses, with the QR code of the first.
    fileprivate func hears(of addresses: [String]) async throws -> Bool {
        let code = try #require(QRCode(addresses[0])).rows
        let expected: JSONValue = [
            "jsonrpc": "2.0", "method": "gateway.addresses",
            "params": [
                "addresses": .array(addresses.map { .string($0) }), "code": .array(code.map { .string($0) }),
            ],
        ]
        return try await JSONValue(parsing: Array(message().utf8)) == expected
    }
}
