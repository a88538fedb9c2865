import Logging
import NIOCore

/// What all connections share; used on the gateway's event loop only.
final class GatewayLoop {
    let eventLoop: any EventLoop
    let settings: GatewaySettings
    let logger: Logger

    /// The secret that lets pages in.
    private(set) var token: Token
    /// Who said wrong tokens.
    private var wrongTokens = WrongTokens()

    private var connections: [ObjectIdentifier: any Channel] = [:]
    private var pages: [ObjectIdentifier: PageConnection] = [:]
    private var tokenWatch: Scheduled<Void>?
    private var isEnding = false
    /// Fulfilled when the last connection is gone.
    private var emptyPromise: EventLoopPromise<Void>?

    init(on eventLoop: any EventLoop, settings: GatewaySettings, token: Token, logger: Logger) {
        self.eventLoop = eventLoop
        self.settings = settings
        self.token = token
        self.logger = logger
    }

    // MARK: Connections

    /// Connections that are open.
    var connectionCount: Int { connections.count }

    /// Notes a connection; false when there are too many.
    func admit(_ channel: any Channel) -> Bool {
        guard !isEnding, connections.count < settings.maximumConnections else { return false }
        let id = ObjectIdentifier(channel)
        connections[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            connections[id] = nil
            if connections.isEmpty { emptyPromise?.succeed() }
        }
        return true
    }

    /// Notes a page that is about to be connected to the daemon; false when there are too many.
    func admit(_ page: PageConnection) -> Bool {
        guard pages.count < settings.maximumPages else { return false }
        pages[ObjectIdentifier(page)] = page
        return true
    }

    /// Forgets a page.
    func remove(_ page: PageConnection) {
        pages[ObjectIdentifier(page)] = nil
    }

    // MARK: The token

    /// Whether a token lets somebody in. Wrong ones are counted, and after too many the right one does not count.
    func admits(_ text: String, from address: SocketAddress?) -> Bool {
        guard !isRefused(address) else { return false }
        guard token.matches(text) else {
            logger.notice("wrong token from \(address?.ipAddress ?? "somewhere")")
            wrongTokens.note(from: address?.party ?? "", at: .now())
            return false
        }
        return true
    }

    /// Whether too many wrong tokens came from somebody.
    func isRefused(_ address: SocketAddress?) -> Bool {
        wrongTokens.refuse(address?.party ?? "", at: .now())
    }

    /// Looks at the token's file from now on; one that cannot be read changes nothing.
    func watch(_ file: TokenFile, known: TokenFile.Version? = nil) {
        let version = file.version
        if version != known, let token = try? file.read() { replaceToken(by: token) }
        tokenWatch = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(settings.tokenInterval)) { [self] in
            watch(file, known: version)
        }
    }

    private func replaceToken(by token: Token) {
        guard token.text != self.token.text else { return }
        logger.notice("there is a new token")
        self.token = token
        for page in pages.values where page.cameByToken { page.close(.tokenReplaced) }
    }

    // MARK: The end

    /// Closes all pages with a reason and the other connections at once; fulfilled when all are gone.
    func end() -> EventLoopFuture<Void> {
        isEnding = true
        tokenWatch?.cancel()
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

/// Tells a connection that the gateway ends.
struct EndEvent {}
