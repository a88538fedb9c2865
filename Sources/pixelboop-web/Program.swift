import Configuration
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceCommand
import Systemd
import WebGateway

/// The gateway as a program: what its configuration makes of it.
struct Program {
    /// How long pages are waited for in the end.
    private static let patience = Duration.milliseconds(500)

    private let configuration: WebConfiguration
    private var tokenFile: TokenFile { TokenFile(path: configuration.tokenFile) }

    /// A program that does nothing yet.
    init(_ configuration: WebConfiguration) { self.configuration = configuration }

    /// Makes another token.
    func makeToken() throws {
        try tokenFile.replace()
        try printAddress()
    }

    /// Prints where the page is, and a QR code for those elsewhere.
    func printAddress() throws {
        try show(places.map(\.address), tokenFile.readOrMake())
    }

    /// Serves until the task is cancelled.
    func run(in context: CompanionContext) async throws {
        _ = OpenFiles.raiseLimit()
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let gateway = try await Gateway.start(
            settings(), on: places, tokenFile: tokenFile, eventLoop: loop, logger: context.logger)
        context.logger.info("listening on \(gateway.places.joined(separator: ", "))")
        // A token is nothing for a log.
        if isatty(STDOUT_FILENO) == 1 { try show(gateway.addresses, tokenFile.readOrMake()) }
        context.ready("serving \(configuration.socketPath)")
        await untilCancelled()
        await gateway.shutdown(within: Self.patience)
    }

    private func settings() throws -> GatewaySettings {
        var settings = GatewaySettings(
            socketPath: configuration.socketPath, hosts: configuration.hosts, origins: configuration.origins,
            demandsToken: configuration.demandsToken)
        settings.maximumPages = configuration.maxClients
        if let certificate = configuration.certificate, let privateKey = configuration.privateKey {
            let encryption = try Encryption(certificate: certificate, privateKey: privateKey)
            settings.encryption = { encryption.handler() }
        }
        return settings
    }

    private var places: [Listening] {
        get throws {
            let port = WebConfiguration.standardPort
            let asked = try configuration.listening.map {
                Listening(try SocketAddress(ipAddress: $0.address, port: $0.port))
            }
            if configuration.isOpenToNetwork { return try asked + Listening.everywhere(port: port) }
            return asked.isEmpty ? try Listening.loopback(port: port) : asked
        }
    }

    private func show(_ addresses: [SocketAddress], _ token: Token) {
        let pages = PageAddresses(
            addresses, machine: PageAddresses.machine, hosts: configuration.hosts,
            isEncrypted: configuration.certificate != nil, token: token,
            demandsToken: configuration.demandsToken || !configuration.hosts.isEmpty)
        for page in pages.remote + [pages.local].compactMap(\.self) { print(page) }
        if isatty(STDOUT_FILENO) == 1, let first = pages.remote.first, let code = QRCode(first) {
            print(code.text)
        }
    }
}
