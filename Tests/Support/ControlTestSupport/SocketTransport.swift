import NIOCore
import NIOPosix

/// A connection over a real socket.
package final class SocketTransport: TestTransport {
    package let channel: any Channel
    package let lines: AsyncStream<[UInt8]>

    private init(channel: any Channel, lines: AsyncStream<[UInt8]>) {
        self.channel = channel
        self.lines = lines
    }

    static func connect(to path: String, group: any EventLoopGroup) async throws -> SocketTransport {
        let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineCollector(continuation))
                }
            }
            .connect(unixDomainSocketPath: path).get()
        return SocketTransport(channel: channel, lines: lines)
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    package func endInput() async throws {
        try await channel.close(mode: .output).get()
    }

    package func close() async {
        try? await channel.close().get()
    }

    /// Stops or resumes reading from the socket.
    package func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
        if isReading { channel.read() }
    }
}

private final class LineCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<[UInt8]>.Continuation
    private var rest = ByteBuffer()

    init(_ continuation: AsyncStream<[UInt8]>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        rest.writeBuffer(&bytes)
        while let newline = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest.readBytes(length: newline - rest.readerIndex) ?? []
            rest.moveReaderIndex(forwardBy: 1)
            continuation.yield(line)
        }
        rest.discardReadBytes()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { continuation.finish() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
