import Configuration
import Foundation
import Logging
import NIOCore
import NIOPosix
import Systemd
import UnixSignals
import WebGateway
import Wire

/// The gateway as a program: configured, told by signals, watched by a service manager.
struct Program {
    /// The program's version.
    static let version = ProgramVersion.current

    /// How long pages are waited for in the end.
    private static let patience = Duration.milliseconds(500)

    private let environment: [String: String]
    private let loaded: LoadedConfiguration<WebConfiguration>

    private var configuration: WebConfiguration { loaded.configuration }
    private var tokenFile: TokenFile { TokenFile(path: configuration.tokenFile) }

    /// A program that does nothing yet.
    ///
    /// - Throws: `ConfigurationError` with everything that is wrong with the configuration.
    init(_ sources: ConfigurationSources<WebConfigurationKey>) throws {
        environment = sources.environment
        loaded = try LoadedConfiguration(sources)
    }

    /// Makes another token.
    func makeToken() throws {
        try tokenFile.replace()
        try printAddress()
    }

    /// Prints where the page is, and a QR code for those elsewhere.
    func printAddress() throws {
        try show(places.map(\.address), tokenFile.readOrMake())
    }

    /// Serves until SIGTERM or SIGINT.
    func run() async throws {
        let writer = LogWriter(style: LogStyle(descriptor: STDERR_FILENO, environment: environment))
        let level = Logger.Level(rawValue: configuration.logLevel.rawValue) ?? .info
        let logger = Logger(label: "pixelboop-web") { _ in ServiceLogHandler(writer, level: level) }
        for warning in loaded.warnings { logger.warning("\(warning)") }
        // Before anybody knows that the gateway is there.
        let ends = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        _ = OpenFiles.raiseLimit()
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let gateway = try await Gateway.start(
            settings(), on: places, tokenFile: tokenFile, eventLoop: loop, logger: logger)
        logger.info("listening on \(gateway.places.joined(separator: ", "))")
        // A token is nothing for a log.
        if isatty(STDOUT_FILENO) == 1 { try show(gateway.addresses, tokenFile.readOrMake()) }
        let manager = ServiceManager(environment: environment)
        manager?.notify(.ready, .status("serving \(configuration.socketPath)"))
        for await _ in ends { break }
        manager?.notify(.stopping)
        await gateway.shutdown(within: Self.patience)
        logger.info("ended")
        writer.flush(within: .milliseconds(200))
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
