import Glibc
import NIOCore
import NIOPosix

/// A daemon that welcomes everyone, supports remote clients, and echoes what it receives.
package final class EchoDaemon: Sendable {
    package let path: String

    private let listener: any Channel

    package init() throws {
        path = "/tmp/pixelboop-echo-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
        listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EchoHandler())
                }
            }
            .bind(unixDomainSocketPath: path).wait()
    }

    deinit {
        listener.close(promise: nil)
        unlink(path)
    }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let welcome = #"{"jsonrpc":"2.0","method":"welcome","params":{}}"# + "\n"
    private static let greeting = #"{"jsonrpc":"2.0","id":0,"result":{"remote":true}}"# + "\n"

    private var hasGreeted = false

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.welcome)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if !hasGreeted, let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            hasGreeted = true
            bytes.moveReaderIndex(to: end + 1)
            context.write(wrapOutboundOut(ByteBuffer(string: Self.greeting)), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
