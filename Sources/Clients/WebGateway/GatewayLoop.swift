import JSON
import Logging
import NIOCore
import ServerSupport
import SystemSupport

/// The state shared by all connections; used on the gateway's event loop only.
final class GatewayLoop {
    let eventLoop: any EventLoop
    let settings: GatewaySettings
    let logger: Logger
    let acceptPause: AcceptPause

    var listening: [SocketAddress] = []
    /// The secret that lets pages in.
    private(set) var token: Token
    private var wrongTokens = WrongTokens()
    private var wrongTokenReport: Scheduled<Void>?
    /// The pages that have not sent the token yet, by address, longest waiting first.
    private var waiting: [String: [PageConnection]] = [:]

    private var connections: [ObjectIdentifier: any Channel] = [:]
    private var connectionQuota: HostQuota
    /// The memory of incomplete messages, in bytes.
    private(set) var unfinishedBytes = 0
    private var pages: [ObjectIdentifier: PageConnection] = [:]
    private var tokenCheck: RepeatedTask?
    /// Why the token's file could not be read the last time.
    private var tokenFailure: TokenFile.Failure?
    private var isEnding = false
    /// How often the token file is read: pages with an old token are closed within a second.
    private static let tokenInterval = TimeAmount.milliseconds(500)
    /// Fulfilled when the last connection is gone.
    private var emptyPromise: EventLoopPromise<Void>?

    init(on eventLoop: any EventLoop, settings: GatewaySettings, token: Token, logger: Logger) {
        self.eventLoop = eventLoop
        self.settings = settings
        self.token = token
        self.logger = logger
        connectionQuota = HostQuota(settings.connectionLimits)
        acceptPause = AcceptPause(logger: logger)
    }

    // MARK: Connections

    var connectionCount: Int { connections.count }

    /// Registers a connection; false when there are too many.
    func admit(_ channel: any Channel) -> Bool {
        let (id, host) = (ObjectIdentifier(channel), channel.remoteAddress?.otherHost)
        guard !isEnding, connectionQuota.reserve(1, for: host) else { return false }
        connections[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            connections[id] = nil
            connectionQuota.release(1, of: host)
            if connections.isEmpty { emptyPromise?.succeed() }
        }
        return true
    }

    /// Registers a page before it is connected to the daemon; false when there are too many. Each may have a
    /// loudspeaker as well, which does not count as a page.
    func admit(_ page: PageConnection) -> Bool {
        guard pages.values.count(where: { $0.isLoudspeaker == page.isLoudspeaker }) < settings.maximumPages else {
            return false
        }
        pages[ObjectIdentifier(page)] = page
        return true
    }

    func remove(_ page: PageConnection) {
        pages[ObjectIdentifier(page)] = nil
    }

    /// Counts the memory of a page's incomplete message; false when there is no room for it. There is always room for
    /// short ones.
    func countUnfinished(_ bytes: Int, insteadOf former: Int) -> Bool {
        unfinishedBytes += bytes - former
        return bytes <= max(former, GatewaySettings.shortMessage)
            || unfinishedBytes <= GatewaySettings.maximumUnfinished
    }

    // MARK: The token

    /// Registers a page that has yet to send its token. Of too many from an address the longest waiting is closed: a
    /// page that has the token sends it at once.
    func beginWaiting(_ page: PageConnection, from address: SocketAddress?) {
        let party = address?.party ?? ""
        waiting[party, default: []].append(page)
        while let all = waiting[party], all.count > settings.maximumWaiting {
            endWaiting(all[0], from: address)
            all[0].close(.tooManyWaiting)
        }
    }

    /// Removes a page that has sent its token.
    func endWaiting(_ page: PageConnection, from address: SocketAddress?) {
        let party = address?.party ?? ""
        guard var all = waiting[party], let place = all.firstIndex(where: { $0 === page }) else { return }
        all.remove(at: place)
        waiting[party] = all.isEmpty ? nil : all
    }

    /// Whether a token is right.
    func admits(_ text: String, from address: SocketAddress?) -> Bool {
        if token.matches(text) { return true }
        if let line = wrongTokens.note(from: address?.ipAddress ?? "an unknown address") {
            logger.notice("\(line)")
            reportWrongTokensLater()
        }
        return false
    }

    private func reportWrongTokensLater() {
        wrongTokenReport = eventLoop.assumeIsolated().scheduleTask(in: WrongTokens.period) { [self] in
            guard let line = wrongTokens.endPeriod() else { return }
            logger.notice("\(line)")
            reportWrongTokensLater()
        }
    }

    /// Follows changes of the token's file from now on; keeps the old token while it cannot be read. The file is read on
    /// a thread, and again only when that is done: a disk that hangs stops no page.
    func watch(_ file: TokenFile) {
        guard !isEnding else { return }
        let gateway = NIOLoopBound(self, eventLoop: eventLoop)
        let (threads, loop, read) = (WorkerThreads("token"), eventLoop, settings.readToken)
        tokenCheck = eventLoop.scheduleRepeatedAsyncTask(initialDelay: .zero, delay: Self.tokenInterval) { _ in
            let done = loop.makePromise(of: Void.self)
            threads.submit {
                let found = Result { () throws(TokenFile.Failure) in try read(file) }
                loop.execute {
                    gateway.value.found(found)
                    done.succeed()
                }
            }
            return done.futureResult
        }
    }

    private func found(_ found: Result<Token?, TokenFile.Failure>) {
        do throws(TokenFile.Failure) {
            if let token = try found.get() { replaceToken(by: token) }
            tokenFailure = nil
        } catch {
            if error != tokenFailure { logger.warning("\(error); the former token stays valid") }
            tokenFailure = error
        }
    }

    private func replaceToken(by token: Token) {
        guard token.text != self.token.text else { return }
        logger.notice("the token has changed")
        self.token = token
        for page in pages.values {
            if page.cameByToken { page.close(.tokenReplaced) } else { page.sendAddresses() }
        }
    }

    /// A message for admitted pages: the page's addresses for other machines, and the first one's QR code; nil if only
    /// this machine reaches the page.
    ///
    /// - Parameter origin: Where the page was opened. Unless that is local, other devices can open it there, too.
    func addresses(from origin: String?) -> ByteBuffer? {
        let pages = PageAddresses(
            listening, machine: PageAddresses.machine, hosts: settings.hosts,
            isEncrypted: settings.encryption != nil, token: token, demandsToken: settings.everybodyNeedsToken)
        let own = origin.flatMap { PageOrigin($0)?.isLocal == false ? "\($0)/#\(token.text)" : nil }
        let addresses = [own].compactMap(\.self) + pages.remote.filter { $0 != own }
        guard let first = addresses.first else { return nil }
        let message: JSONValue = [
            "jsonrpc": "2.0", "method": "gateway.addresses",
            "params": [
                "addresses": .array(addresses.map { .string($0) }),
                "code": .array((QRCode(first)?.rows ?? []).map { .string($0) }),
            ],
        ]
        return ByteBuffer(bytes: message.bytes)
    }

    // MARK: The end

    /// Closes all pages with a reason and the other connections at once; fulfilled when all are gone.
    func end() -> EventLoopFuture<Void> {
        isEnding = true
        tokenCheck?.cancel()
        wrongTokenReport?.cancel()
        if let line = wrongTokens.endPeriod() { logger.notice("\(line)") }
        guard !connections.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        emptyPromise = promise
        for channel in connections.values { channel.pipeline.fireUserInboundEventTriggered(EndEvent()) }
        return promise.futureResult
    }

    /// Closes all connections at once.
    func abort() {
        for channel in connections.values { channel.close(promise: nil) }
    }
}

/// Tells a connection that the gateway is stopping.
struct EndEvent {}
