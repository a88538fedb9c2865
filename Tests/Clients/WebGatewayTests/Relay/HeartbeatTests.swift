import GatewayTestSupport
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import WebGateway

/// Pings, on a clock that only the test advances.
struct HeartbeatTests {
    private static let ping: [UInt8] = [0x89, 0]

    /// A connected page with an hour to send its token; until then it needs no daemon.
    private func page() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        var settings = GatewaySettings(socketPath: "/nowhere")
        settings.pingInterval = .seconds(20)
        settings.tokenTime = .seconds(3600)
        let loop = GatewayLoop(
            on: channel.eventLoop, settings: settings, token: Token(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try PageConnection(loop: loop, address: nil, origin: nil, needsToken: true, isLoudspeaker: false)
            .add(to: channel.pipeline.syncOperations)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    private func send(_ firstByte: UInt8, _ payload: [UInt8], from channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(bytes: Browser.frame(firstByte, payload)))
    }

    /// What is sent to the page up to and including the time of the next ping.
    private func received(by channel: EmbeddedChannel) throws -> [UInt8] {
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    @Test func `a page that answers pings stays, and one that does not is closed after two`() throws {
        let channel = try page()
        for _ in 0..<3 {
            #expect(try received(by: channel) == Self.ping)
            try send(0x8a, [], from: channel)
        }
        for _ in 0..<2 { #expect(try received(by: channel) == Self.ping) }
        #expect(channel.isActive)
        #expect(try received(by: channel) == [])
        #expect(!channel.isActive)
    }

    @Test func `of pings that arrive together the last is answered`() throws {
        let channel = try page()
        let pings = (1...100).flatMap { Browser.frame(0x89, [$0]) }
        try channel.writeInbound(ByteBuffer(bytes: pings))
        #expect(try received(by: channel) == [0x8a, 1, 100] + Self.ping)
    }

    @Test func `after the end no ping is answered`() throws {
        let channel = try page()
        try channel.writeInbound(ByteBuffer(bytes: Browser.frame(0x89, [1]) + Browser.frame(0x88, [3, 232])))
        #expect(try received(by: channel) == [0x88, 2, 3, 232])
    }

    @Test func `a stalled message is given up at the second ping`() throws {
        let channel = try page()
        try send(0x01, [0x20], from: channel)
        #expect(try received(by: channel) == Self.ping)
        try send(0x8a, [], from: channel)
        let reason = PageClose.unfinished.payload
        #expect(try received(by: channel) == [0x88, UInt8(reason.readableBytes)] + Array(reason.readableBytesView))
        // If the page does not close the connection either, the gateway does.
        #expect(try received(by: channel) == [])
        #expect(!channel.isActive)
    }
}
