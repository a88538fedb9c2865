import ArgumentParser
import Foundation
import Logging
import NIOCore
import NIOPosix
import WebGateway

/// The gateway's command line.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboop-web", abstract: "PixelBoop's grid as a page in a browser.")

    @Option(help: "The daemon's control socket.")
    var socket: String

    @Option(help: "The port to listen on.")
    var port = 8044

    func run() async throws {
        let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let gateway = try await Gateway.start(
            GatewaySettings(socketPath: socket), on: [SocketAddress(ipAddress: "127.0.0.1", port: port)],
            token: Token(), eventLoop: eventLoop, logger: Logger(label: "pixelboop-web"))
        print("http://localhost:\(gateway.addresses[0].port ?? port)")
        try await eventLoop.makePromise(of: Void.self).futureResult.get()
    }
}
