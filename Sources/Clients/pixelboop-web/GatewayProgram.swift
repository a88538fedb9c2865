import Configuration
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceCommand
import Systemd
import WebGateway

struct GatewayProgram {
    /// How long to wait for pages when stopping.
    private static let patience = Duration.milliseconds(500)

    private let configuration: WebSettings
    private var tokenFile: TokenFile { TokenFile(path: configuration.tokenFile) }

    init(_ configuration: WebSettings) { self.configuration = configuration }

    /// Replaces the token of the running gateway, the user's or the system's, or else of one with this configuration.
    func makeToken() throws {
        let gateway = try joinRunningGateway() ?? configured
        do {
            let token = try TokenFile(path: gateway.tokenFile).replace()
            try show(gateway, token)
        } catch let error as TokenFile.Failure where error.isDenied && gateway.user != geteuid() {
            throw OthersToken(path: gateway.tokenFile)
        }
    }

    /// Prints the page's address and a QR code for other devices: those of the running gateway, the user's or the
    /// system's, or else of one with this configuration. Creates no token, because no running gateway would know it.
    func printAddress() throws {
        guard let gateway = try joinRunningGateway() else {
            return try show(configured, existingToken(of: tokenFile))
        }
        do {
            try show(gateway, TokenFile(path: gateway.tokenFile).read())
        } catch let error as TokenFile.Failure where error.isDenied && gateway.user != geteuid() {
            Self.complain(
                "only its owner may read the token in \(gateway.tokenFile): sudo \(WebTable.program) --print-url")
            try show(gateway, nil)
        }
    }

    /// The running gateway; says so if there is none. Root continues as the gateway's user, who has written what it says of
    /// itself: that must not direct root.
    private func joinRunningGateway() throws -> RunningGateway? {
        guard let gateway = runningGateway else {
            Self.complain("no gateway is running; one started with these settings will be at")
            return nil
        }
        if geteuid() == 0, gateway.user != 0 {
            guard setgroups(0, nil) == 0, setgid(gateway.group) == 0, setuid(gateway.user) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
            }
        }
        return gateway
    }

    /// The running gateway with this configuration's token, else any of this user or the system.
    private var runningGateway: RunningGateway? {
        let running = RunningGateway.all()
        if let own = running.first(where: { $0.tokenFile == configuration.tokenFile }) { return own }
        let usual = WebSettings(directories: BaseDirectories(environment: ProcessInfo.processInfo.environment))
        return configuration.tokenFile == usual.tokenFile ? running.first : nil
    }

    private func existingToken(of file: TokenFile) throws -> Token? {
        let token = try file.read()
        let isForThisMachine = try places.allSatisfy { ["127.0.0.1", "::1"].contains($0.address.ipAddress) }
        guard try token != nil || isForThisMachine && !settings().everybodyNeedsToken else { throw NoToken() }
        return token
    }

    private var configured: RunningGateway { get throws { try gateway(at: places.map(\.address), settings()) } }

    private func gateway(at addresses: [SocketAddress], _ settings: GatewaySettings) -> RunningGateway {
        RunningGateway(
            addresses: addresses.compactMap { address in
                address.ipAddress.map { ListenAddress(address: $0, port: address.port ?? 0) }
            }, hosts: configuration.hosts, isEncrypted: settings.encryption != nil,
            demandsToken: settings.everybodyNeedsToken, tokenFile: configuration.tokenFile)
    }

    private static func complain(_ text: String) {
        let line = "\(WebTable.program): \(text)\n"
        _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
    }

    /// Serves until the task is cancelled.
    func run(in context: CompanionContext) async throws {
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        var settings = try settings()
        settings.limit(pages: configuration.maxClients, descriptors: OpenFiles.raiseLimit())
        if settings.maximumPages < configuration.maxClients {
            context.logger.warning("the limit of open files allows only \(settings.maximumPages) pages")
        }
        let gateway = try await Gateway.start(
            settings, on: places, tokenFile: tokenFile, eventLoop: loop, logger: context.logger)
        let running = self.gateway(at: gateway.addresses, settings)
        let notice = announce(running, context.logger)
        defer { withExtendedLifetime(notice) {} }
        // Whoever reads this line can rely on the notice.
        context.logger.info("listening on \(gateway.places.joined(separator: ", "))")
        // A token must not get into a log.
        if isatty(STDOUT_FILENO) == 1, let token = try? tokenFile.readOrMake() { try show(running, token) }
        context.ready("serving \(configuration.socketPath)")
        await untilCancelled()
        await gateway.shutdown(within: Self.patience)
    }

    /// Announces the gateway to `--print-url`, `--new-token` and `pixelboop doctor`; it serves without that, too.
    private func announce(_ gateway: RunningGateway, _ logger: Logger) -> GatewayNotice? {
        do {
            return try GatewayNotice(of: gateway)
        } catch {
            logger.warning("\(error): --print-url, --new-token and pixelboop doctor will not find this gateway")
            return nil
        }
    }

    private func settings() throws -> GatewaySettings {
        var settings = GatewaySettings(
            socketPath: configuration.socketPath, hosts: configuration.hosts, origins: configuration.origins,
            demandsToken: configuration.demandsToken)
        if let certificate = configuration.certificate, let privateKey = configuration.privateKey {
            let encryption = try Encryption(certificate: certificate, privateKey: privateKey)
            settings.encryption = { encryption.handler() }
        }
        return settings
    }

    private var places: [Listening] {
        get throws {
            let port = WebTable.standardPort
            let asked = try configuration.listening.map {
                Listening(try SocketAddress(ipAddress: $0.address, port: $0.port))
            }
            // The wildcard covers listed addresses with this port.
            if configuration.isOpenToNetwork {
                return try asked.filter { $0.address.port != port } + Listening.everywhere(port: port)
            }
            return asked.isEmpty ? try Listening.loopback(port: port) : asked
        }
    }

    private func show(_ gateway: RunningGateway, _ token: Token?) throws {
        let pages = PageAddresses(
            try gateway.addresses.map { try SocketAddress(ipAddress: $0.address, port: $0.port) },
            machine: PageAddresses.machine, hosts: gateway.hosts, isEncrypted: gateway.isEncrypted, token: token,
            demandsToken: gateway.demandsToken)
        for page in pages.remote + [pages.local].compactMap(\.self) { print(page) }
        if isatty(STDOUT_FILENO) == 1, let first = pages.remote.first, let code = QRCode(first) {
            print(code.text)
        }
    }
}

private struct OthersToken: Error, CustomStringConvertible {
    let path: String

    var description: String { "only its owner may replace the token in \(path): sudo \(WebTable.program) --new-token" }
}

private struct NoToken: Error, CustomStringConvertible {
    let description = "there is no token yet: the gateway makes it when it starts for the first time"
}
