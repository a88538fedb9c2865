import NIOCore
import ServerSupport

/// Splits the daemon's bytes into lines, and passes these, errors and the channel's end to a connection.
final class ClientConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: ClientConnection
    private var lines: LineDecoder

    /// - Parameter limit: The longest allowed line, in bytes.
    init(connection: ClientConnection, limit: Int) {
        self.connection = connection
        lines = LineDecoder(maximumLength: limit)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lines.append(unwrapInboundIn(data))
        do throws(ClientError) {
            while let element = lines.next() {
                switch element {
                case .line(let line): try connection.receive(line: line.readableBytesView)
                case .tooLong: throw .protocolViolation("a line of more than \(lines.maximumLength) bytes")
                }
            }
        } catch {
            connection.end(error)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
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
