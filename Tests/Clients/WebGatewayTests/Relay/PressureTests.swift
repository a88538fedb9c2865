import CannedDaemon
import GatewayTestSupport
import Synchronization
import Testing

@testable import WebGateway

@Suite(.timeLimit(.minutes(1)))
struct PressureTests {
    /// Sends numbered lines of a kilobyte, as fast as they are accepted.
    private final class Sender: Sendable {
        let sent = Atomic(0)

        static func line(_ number: Int) -> String {
            let text = "\(number) "
            return text + String(repeating: "x", count: 1023 - text.count)
        }

        func send(_ count: Int, _ send: (String) async throws -> Void) async throws {
            for number in 0..<count {
                try await send(Self.line(number))
                sent.add(1, ordering: .relaxed)
            }
        }

        /// Waits until nothing more is sent although the gateway has had many turns.
        func standstill(_ other: (browser: Browser, daemon: CannedPeer)) async throws -> Int {
            while true {
                let before = sent.load(ordering: .relaxed)
                for _ in 0..<100 {
                    try await other.browser.say("turn")
                    #expect(await other.daemon.receiveLine() == "turn")
                }
                if before > 0, sent.load(ordering: .relaxed) == before { return before }
            }
        }
    }

    @Test func `a page that stops reading holds up the daemon's lines, and later gets them all`() async throws {
        try await TestGateway.with { gateway in
            let slow = try await gateway.page(room: 4096)
            let other = try await gateway.page()
            let sender = Sender()
            async let sending: Void = sender.send(20_000) { try await slow.daemon.send(line: $0) }
            // Of the twenty megabytes only this much is in transit, besides what the kernel holds.
            #expect(try await sender.standstill(other) < 1024)
            for number in 0..<20_000 { #expect(try await slow.browser.message() == Sender.line(number)) }
            try await sending
        }
    }

    @Test func `a daemon that stops reading holds up the page's messages`() async throws {
        try await TestGateway.with { gateway in
            let (browser, daemon) = try await gateway.page(room: 4096)
            let other = try await gateway.page()
            let sender = Sender()
            try await daemon.setReading(false)
            async let sending: Void = sender.send(4000) { try await browser.say($0) }
            #expect(try await sender.standstill(other) < 1024)
            try await daemon.setReading(true)
            for number in 0..<4000 { #expect(await daemon.receiveLine() == Sender.line(number)) }
            try await sending
        }
    }

    @Test func `a page that closes and reads nothing more is soon gone`() async throws {
        try await TestGateway.with {
            ($0.closeTime, $0.tokenTime) = (.milliseconds(50), .seconds(1))
        } _: { gateway in
            let slow = try await gateway.page(room: 4096)
            let other = try await gateway.page()
            let sender = Sender()
            async let sending: Void = sender.send(20_000) { try await slow.daemon.send(line: $0) }
            _ = try await sender.standstill(other)
            try await slow.browser.send(0x88, [3, 232])
            // Without an origin it needs a token: it comes after the other, and is closed later.
            let waiting = try gateway.browser()
            try await waiting.connect(origin: nil)
            _ = await waiting.socket.rest()
            // A channel is forgotten in the loop's turn after the one that closed its socket.
            try await other.browser.say("turn")
            #expect(await other.daemon.receiveLine() == "turn")
            #expect(try await gateway.gateway.connectionCount == 1)
            // Fails, because the daemon's connection has ended with the page's.
            try? await sending
        }
    }

    @Test func `answers to the pings of a page that hardly reads do not pile up`() async throws {
        try await TestGateway.with { gateway in
            let slow = try await gateway.page(room: 4096)
            let ping = Browser.frame(0x89, [UInt8](repeating: 7, count: 125))
            let pings = Array(repeatElement(ping, count: 500).joined())
            try await slow.browser.socket.hardlyReading {
                for _ in 0..<40 { try await slow.browser.socket.send(pings) }
                try await slow.browser.say("end")
                #expect(await slow.daemon.receiveLine() == "end")
            }
            try await slow.daemon.close()
            // Answers to all of them would have two and a half megabytes.
            #expect(await slow.browser.socket.rest().count < 1_000_000)
        }
    }
}
