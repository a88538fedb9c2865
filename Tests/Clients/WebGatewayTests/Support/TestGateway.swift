import CannedDaemon
import Foundation
import GatewayTestSupport
import JSON
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Wire

@testable import WebGateway

/// A gateway on a free port, in front of a daemon that the test scripts.
final class TestGateway: Sendable {
    let daemon: CannedDaemon
    let gateway: Gateway
    let tokenFile: TokenFile

    private let directory: TemporaryDirectory

    var port: Int { gateway.addresses.first?.port ?? 0 }

    private init(_ daemon: CannedDaemon, _ gateway: Gateway, _ tokenFile: TokenFile, _ directory: TemporaryDirectory) {
        self.daemon = daemon
        self.gateway = gateway
        self.tokenFile = tokenFile
        self.directory = directory
    }

    static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a gateway during `body`.
    static func with<Value>(
        on address: String = "127.0.0.1",
        logger: Logger = silence, _ change: (inout GatewaySettings) -> Void = { _ in },
        _ body: (TestGateway) async throws -> Value
    ) async throws -> Value {
        let directory = try TemporaryDirectory()
        let daemon = try await CannedDaemon.start()
        let tokenFile = TokenFile(path: directory.file("web-token"))
        var settings = GatewaySettings(socketPath: daemon.path)
        change(&settings)
        let gateway = try await Gateway.start(
            settings, on: [Listening(SocketAddress(ipAddress: address, port: 0))], tokenFile: tokenFile,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(), logger: logger)
        let test = TestGateway(daemon, gateway, tokenFile, directory)
        do {
            let value = try await body(test)
            await gateway.shutdown(within: .milliseconds(100))
            return value
        } catch {
            await gateway.shutdown(within: .milliseconds(100))
            throw error
        }
    }

    /// A browser that has connected, and sent nothing yet.
    func browser(room: CInt? = nil) throws -> Browser { try Browser(port: port, room: room) }

    var token: String { get throws { try tokenFile.readOrMake().text } }

    /// Waits for the gateway's next connection to the daemon, and welcomes it as a daemon does.
    func greet() async throws -> CannedPeer {
        let peer = try await daemon.welcome()
        guard let hello = try await peer.receive() else { throw RawSocket.Ended() }
        var answer = Welcome(version: "canned").json
        answer["remote"] = true
        try await peer.answer(hello, .success(.object(answer)))
        return peer
    }

    /// A page that is connected to the daemon, whose welcome it has read.
    func page(room: CInt? = nil) async throws -> (browser: Browser, daemon: CannedPeer) {
        let browser = try browser(room: room)
        try await browser.connect()
        let peer = try await greet()
        _ = try await browser.message()
        return (browser, peer)
    }
}
