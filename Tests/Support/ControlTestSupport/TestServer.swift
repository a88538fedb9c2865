import Control
import Engine
import Instrument
import Logging
import Music
import NIOCore
import NIOPosix
import Session
import Synchronization
import TestSupport
import UnixSocket
import Wire

/// How a test's client reaches the daemon's code.
package enum Reach: String, CaseIterable, Sendable {
    /// Over the real socket.
    case socket
    /// In process, directly to the conversation.
    case direct
}

/// A server with a real session on a real event loop, on a socket in a directory of its own.
package final class TestServer: Sendable {
    package let directory: TemporaryDirectory
    package let control: ControlCore
    private let controlSocket: ControlSocket?
    package let session: Session
    package let engine: Engine
    package let services: TestServices
    package let eventLoop: any EventLoop
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let clientGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    package let reach: Reach
    /// The numbers of the clients that were sent a line, in order; only without a socket.
    package let answered = Mutex<[Int]>([])

    package var path: String { directory.file("control.sock") }

    /// Runs a test with a server, then stops the server.
    package static func with<Result>(
        _ reach: Reach = .socket, document: Document = Document(), hasAudio: Bool = false, maximumClients: Int = 1024,
        turn: Duration = .milliseconds(1), body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let server = try await TestServer(
            reach, document, hasAudio: hasAudio, maximumClients: maximumClients, turn: turn)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    private init(
        _ reach: Reach, _ document: Document, hasAudio: Bool, maximumClients: Int, turn: Duration
    ) async throws {
        self.reach = reach
        directory = try TemporaryDirectory()
        eventLoop = group.next()
        engine = Engine(score: Score(document))
        session = Session(executor: eventLoop.executor, engine: engine, document: document)
        services = TestServices()
        if hasAudio {
            await session.audioChanged(
                to: AudioState(status: .running, rate: 48_000, period: 64), at: ControlClock.now)
        }
        var settings = ControlCore.Settings(version: "1.2.3")
        settings.maximumClients = maximumClients
        settings.turn = turn
        let address = ControlSocket.Configuration.Address.path(directory.file("control.sock"), ownsDirectory: true)
        do {
            control = try await ControlCore(
                settings, on: eventLoop, session: session, services: services, logger: .quiet,
                didPass: { [session, services] in
                    let changes = session.assumeIsolated { $0.fetchChanges() }
                    services.stored.withLock { $0 += changes }
                })
            controlSocket =
                reach == .socket
                ? try await ControlSocket(ControlSocket.Configuration(address: address), for: control) : nil
        } catch {
            try? await clientGroup.shutdownGracefully()
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// A client that has received its welcome.
    package func client() async throws -> TestClient {
        let client = try await newcomer()
        guard try await client.notification().message(as: Welcome.self) != nil else { throw TestClient.Ended() }
        return client
    }

    /// A client that has yet to receive its welcome.
    package func newcomer() async throws -> TestClient {
        switch reach {
        case .direct:
            TestClient(
                over: try await DirectTransport.attach(to: control) { [self] number in
                    answered.withLock { $0.append(number) }
                })
        case .socket: TestClient(over: try await socket())
        }
    }

    /// A connection over the socket.
    package func socket() async throws -> SocketTransport {
        try await SocketTransport.connect(to: path, group: clientGroup)
    }

    /// Shuts down as the daemon does.
    package func shutdown(reason: String, within limit: Duration) async {
        await controlSocket?.close()
        await control.shutdown(reason: reason, within: limit)
    }

    private func stop() async {
        await shutdown(reason: "the test is over", within: .milliseconds(500))
        try? await clientGroup.shutdownGracefully()
        try? await group.shutdownGracefully()
    }
}

extension Logger {
    /// A logger that logs nothing.
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
