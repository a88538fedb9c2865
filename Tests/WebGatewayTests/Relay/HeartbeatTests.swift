import GatewayTestSupport
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import WebGateway

/// What happens at each ping, on a clock that only the test moves.
struct HeartbeatTests {
    private static let ping: [UInt8] = [0x89, 0]

    /// A page that is connected, and has all the time for its token, which takes no daemon.
    private func page() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        var settings = GatewaySettings(socketPath: "/nowhere")
        settings.pingInterval = .seconds(20)
        settings.tokenTime = .seconds(3600)
        let loop = GatewayLoop(
            on: channel.eventLoop, settings: settings, token: Token(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try channel.pipeline.syncOperations.addHandler(
            PageConnection(loop: loop, address: nil, origin: nil, needsToken: true, isLoudspeaker: false))
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    private func send(_ firstByte: UInt8, _ payload: [UInt8], from channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(bytes: Browser.frame(firstByte, payload)))
    }

    /// What the page is sent until the next ping is due, and then.
    private func received(by channel: EmbeddedChannel) throws -> [UInt8] {
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    @Test func `a page that answers pings stays, and one that does not is gone after two`() throws {
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

    @Test func `a message that does not get on is given up at the second ping`() throws {
        let channel = try page()
        try send(0x01, [0x20], from: channel)
        #expect(try received(by: channel) == Self.ping)
        try send(0x8a, [], from: channel)
        let reason = PageClose.unfinished.payload
        #expect(try received(by: channel) == [0x88, UInt8(reason.readableBytes)] + Array(reason.readableBytesView))
        // A page that does not close the connection either is left.
        #expect(try received(by: channel) == [])
        #expect(!channel.isActive)
    }
}
