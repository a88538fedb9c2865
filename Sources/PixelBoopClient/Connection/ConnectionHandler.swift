import NIOCore

/// Hands lines, errors and the end of a channel to a connection.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection

    init(connection: Connection) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            try connection.receive(line: unwrapInboundIn(data).readableBytesView)
        } catch {
            connection.end(error)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as LineDecoder.LineTooLong:
            connection.end(.protocolViolation("a line of more than \(error.limit) bytes"))
        case let error as IOError:
            connection.end(.connectionLost(reason: error.reasonInWords))
        default:
            connection.end(.connectionLost(reason: String(describing: error)))
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.end(.connectionLost(reason: "the daemon closed it"))
    }
}
