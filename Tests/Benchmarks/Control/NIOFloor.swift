import ArgumentParser
import NIOCore
import NIOPosix

/// Answers whatever comes with the same bytes, as ``AnsweringFloor`` does, by the least program that SwiftNIO allows: what of
/// the daemon's time is the library's.
struct NIOFloor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "nio")

    @Option var path: String

    func run() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Echo()) }
            }
            .bind(unixDomainSocketPath: path).get()
        try await server.closeFuture.get()
    }
}

private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(data, promise: nil)
    }
}
