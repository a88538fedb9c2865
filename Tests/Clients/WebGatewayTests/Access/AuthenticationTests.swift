import CannedDaemon
import Dispatch
import GatewayTestSupport
import Glibc
import Logging
import Systemd
import Testing

@testable import WebGateway

@Suite(.timeLimit(.minutes(1)))
struct AuthenticationTests {
    private static let touch = #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"down","x":1,"y":1}}"#

    private func demanding<Value>(
        logger: Logger = TestGateway.silence, _ change: (inout GatewaySettings) -> Void = { _ in },
        _ body: (TestGateway) async throws -> Value
    ) async throws -> Value {
        try await TestGateway.with(
            logger: logger,
            {
                $0.access.demandsToken = true
                change(&$0)
            }, body)
    }

    @Test func `a page with the token is admitted, and the daemon does not see the token`() async throws {
        try await demanding { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate(gateway.token)
            try await browser.say(Self.touch)
            #expect(try await gateway.greet().receiveLine() == Self.touch)
            #expect(try await browser.message().contains("welcome"))
        }
    }

    @Test func `a program other than a page is admitted with the token`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            try await browser.connect(origin: nil)
            try await browser.authenticate(gateway.token)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
        }
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"authenticate","params":{"token":"0123456789abcdef0123456789abcdef"}}"#,
        #"{"jsonrpc":"2.0","method":"authenticate","params":{"token":""}}"#,
        #"{"jsonrpc":"2.0","method":"authenticate","params":{"token":1}}"#,
        #"{"jsonrpc":"2.0","method":"authenticate","params":["x"]}"#, #"{"jsonrpc":"2.0","method":"authenticate"}"#,
        #"{"jsonrpc":"2.0","method":"ping","id":1}"#, "authenticate", "", "[]",
        #"[{"jsonrpc":"2.0","method":"authenticate"}]"#,
    ])
    func `any other first message counts as a wrong token`(message: String) async throws {
        try await demanding { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.say(message)
            #expect(try await browser.closing() == .tokenWrong)
        }
    }

    @Test func `before the token a message may have at most 512 bytes, however much has arrived`() async throws {
        try await demanding { gateway in
            func padded(_ count: Int) throws -> String {
                let call = try #"{"method":"authenticate","params":{"token":"\#(gateway.token)"}}"#
                return call + String(repeating: " ", count: count - call.utf8.count)
            }
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.say(padded(512))
            let long = String(repeating: "x", count: 100_000)
            try await browser.say(long)
            #expect(try await gateway.greet().receiveLine() == long)

            let other = try gateway.browser()
            try await other.connect()
            try await other.say(padded(513))
            #expect(try await other.closing() == .tooLongForToken)

            // None of it need have arrived yet.
            let third = try gateway.browser()
            try await third.connect()
            try await third.send(0x01, [0x7b])
            try await third.socket.send([0x80, 0x80 | 126, 2, 0, 1, 2, 3, 4])
            #expect(try await third.closing() == .tooLongForToken)
        }
    }

    @Test func `an address may have ten connections without a token, and the oldest makes room`() async throws {
        try await demanding {
            $0.tokenTime = .seconds(120)
        } _: { gateway in
            var quiet: [Browser] = []
            for _ in 0..<11 {
                let browser = try gateway.browser()
                try await browser.connect()
                quiet.append(browser)
            }
            #expect(try await quiet[0].closing() == .tooManyWaiting)
            // A page with the token is still admitted.
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate(gateway.token)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
            #expect(try await quiet[1].closing() == .tooManyWaiting)
        }
    }

    @Test func `a long message that mentions authentication is forwarded to the daemon`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page()
            let long =
                #"{"method":"authenticate","params":{"token":"x"}}"# + String(repeating: " ", count: 500)
            try await browser.say(long)
            #expect(await daemon.receiveLine() == long)
        }
    }

    @Test func `a page that sends no token is closed after a while`() async throws {
        try await demanding {
            $0.tokenTime = .milliseconds(100)
        } _: { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            #expect(try await browser.closing() == .tokenLate)
        }
    }

    @Test func `before the token nothing reaches the daemon`() async throws {
        try await demanding { gateway in
            let quiet = try gateway.browser()
            try await quiet.connect()
            let wrong = try gateway.browser()
            try await wrong.connect()
            try await wrong.say(Self.touch)
            #expect(try await wrong.closing() == .tokenWrong)
            // The first connection that the daemon sees is the last page's.
            let third = try gateway.browser()
            try await third.connect()
            try await third.authenticate(gateway.token)
            try await third.say("third")
            #expect(try await gateway.greet().receiveLine() == "third")
        }
    }

    @Test func `a token that is not needed is never forwarded either`() async throws {
        try await TestGateway.with { gateway in
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate("not the token")
            let daemon = try await gateway.greet()
            try await browser.say("first")
            try await browser.authenticate(gateway.token)
            try await browser.say(#"{"method":"note","params":{"text":"authenticate"}}"#)
            #expect(await daemon.receiveLine() == "first")
            #expect(await daemon.receiveLine() == #"{"method":"note","params":{"text":"authenticate"}}"#)
        }
    }

    @Test func `wrong tokens lock nobody out, and the log counts them`() async throws {
        let journal = LogLines()
        try await demanding(logger: journal.logger) { _ in
        } _: { gateway in
            for _ in 0..<25 {
                let browser = try gateway.browser()
                try await browser.connect()
                try await browser.authenticate(String(repeating: "0", count: 32))
                #expect(try await browser.closing() == .tokenWrong)
            }
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate(gateway.token)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
            #expect(journal.lines(of: .notice) == ["wrong token from 127.0.0.1"])
        }
        let lines = ["wrong token from 127.0.0.1", "24 more wrong tokens, the last from 127.0.0.1"]
        #expect(journal.lines(of: .notice) == lines)
    }

    @Test func `a disk that hangs stops no page, and a new token applies when it is back`() async throws {
        let (disk, isHanging) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        defer { disk.signal() }
        try await demanding { settings in
            settings.readToken = { (file) throws(TokenFile.Failure) in
                isHanging.signal()
                disk.wait()
                disk.signal()
                return try file.read()
            }
        } _: { gateway in
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    isHanging.wait()
                    continuation.resume()
                }
            }
            let old = try gateway.token
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate(old)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
            let page = try gateway.browser()
            #expect(try await page.ask(page.request("/")).status == 200)
            try gateway.tokenFile.replace()
            disk.signal()
            #expect(try await browser.closing() == .tokenReplaced)
        }
    }

    @Test func `a token that cannot be read any more stays valid, which the log says once`() async throws {
        let journal = LogLines()
        try await demanding(logger: journal.logger) { _ in
        } _: { gateway in
            let token = try gateway.token
            chmod(gateway.tokenFile.path, 0o644)
            await journal.wait(for: .warning)
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate(token)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
            chmod(gateway.tokenFile.path, 0o600)
            try gateway.tokenFile.replace()
            #expect(try await browser.closing() == .tokenReplaced)
        }
        let warnings = journal.lines(of: .warning)
        #expect(warnings.count == 1 && warnings[0].hasSuffix("the former token stays valid"), "\(warnings)")
    }

    @Test func `a new token closes only the pages that were admitted with the old one`() async throws {
        try await TestGateway.with { gateway in
            let old = try gateway.token
            let (local, daemon) = try await gateway.page()
            let program = try gateway.browser()
            try await program.connect(origin: nil)
            try await program.authenticate(old)
            _ = try await gateway.greet()
            _ = try await program.message()

            let new = try gateway.tokenFile.replace()
            #expect(try await program.closing() == .tokenReplaced)
            let late = try gateway.browser()
            try await late.connect(origin: nil)
            try await late.authenticate(old)
            #expect(try await late.closing() == .tokenWrong)
            let again = try gateway.browser()
            try await again.connect(origin: nil)
            try await again.authenticate(new.text)
            _ = try await gateway.greet()
            #expect(try await again.message().contains("welcome"))
            try await local.say("still here")
            #expect(await daemon.receiveLine() == "still here")
        }
    }

    @Test func `five hundred connections without a token keep nobody out`() async throws {
        // Both ends of each are in this process.
        try #require(OpenFiles.raiseLimit() > 1100)
        try await demanding { gateway in
            var quiet: [Browser] = []
            for _ in 0..<500 {
                let browser = try gateway.browser()
                try await browser.connect()
                quiet.append(browser)
            }
            let browser = try gateway.browser()
            try await browser.connect()
            try await browser.authenticate(gateway.token)
            _ = try await gateway.greet()
            #expect(try await browser.message().contains("welcome"))
            #expect(quiet.count == 500)
        }
    }
}
