import Engine
import Glibc
import Logging
import Music
import NIOCore
import NIOPosix
import Session
import TestSupport

@testable import Server

/// How a test's client reaches the daemon's code.
enum Reach: String, CaseIterable, Sendable {
    /// Over the real socket.
    case socket
    /// In process, straight at the conversation.
    case direct
}

/// A server with a real session on a real event loop, on a socket in a directory of its own.
final class TestServer: Sendable {
    let directory: String
    let server: ControlServer?
    let session: Session
    let services: TestServices
    let eventLoop: any EventLoop
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let clientGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: NIOLoopBound<ControlLoop>?
    let reach: Reach

    var path: String { directory + "/control.sock" }

    /// Runs a test with a server, and ends the server after it.
    static func with<Result>(
        _ reach: Reach = .socket, hasAudio: Bool = false,
        address: ControlServer.Configuration.Address? = nil, maximumClients: Int = 1024,
        body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let server = try await TestServer(
            reach, hasAudio: hasAudio, address: address, maximumClients: maximumClients)
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
        _ reach: Reach, hasAudio: Bool, address: ControlServer.Configuration.Address?, maximumClients: Int
    ) async throws {
        self.reach = reach
        directory = try TemporaryDirectory.make()
        eventLoop = group.next()
        let document = Document()
        session = Session(
            executor: eventLoop.executor, engine: Engine(score: Score(document)), document: document)
        services = TestServices()
        if hasAudio {
            await session.audioChanged(
                to: AudioStatus(state: .running, sampleRate: 48_000, period: 64), at: ControlClock.now)
        }
        var configuration = ControlServer.Configuration(
            address: address ?? .path(directory + "/control.sock", ownsDirectory: true), version: "1.2.3")
        configuration.maximumClients = maximumClients
        do {
            (server, loop) = try await TestServer.start(
                reach, configuration, on: eventLoop, session: session, services: services)
        } catch {
            try? await clientGroup.shutdownGracefully()
            try? await group.shutdownGracefully()
            TemporaryDirectory.remove(directory)
            throw error
        }
    }

    private static func start(
        _ reach: Reach, _ configuration: ControlServer.Configuration, on eventLoop: any EventLoop, session: Session,
        services: TestServices
    ) async throws -> (ControlServer?, NIOLoopBound<ControlLoop>?) {
        if reach == .socket {
            let server = try await ControlServer.start(
                configuration, on: eventLoop, session: session, services: services, logger: .quiet)
            return (server, nil)
        }
        let loop = try await eventLoop.submit {
            let settings = ControlLoop.Settings(
                version: configuration.version, maximumClients: configuration.maximumClients)
            let loop = ControlLoop(
                on: eventLoop, session: session, services: services, settings: settings, logger: .quiet, didPass: {})
            return NIOLoopBound(loop, eventLoop: eventLoop)
        }.get()
        return (nil, loop)
    }

    /// A client that has been welcomed.
    func client() async throws -> TestClient {
        let client = try await newcomer()
        guard case .welcome = try await client.notification() else { throw TestClient.Ended() }
        return client
    }

    /// A client that has yet to hear the server's first words.
    func newcomer() async throws -> TestClient {
        if let loop { return TestClient(over: try await DirectTransport.attach(to: loop, on: eventLoop)) }
        return TestClient(over: try await socket())
    }

    /// A connection over the socket.
    func socket(at other: String? = nil) async throws -> SocketTransport {
        try await SocketTransport.connect(to: other ?? path, group: clientGroup)
    }

    private func stop() async {
        await server?.shutdown(reason: "the test is over", within: .milliseconds(500))
        try? await eventLoop.submit { [loop] in loop?.value.stop() }.get()
        try? await clientGroup.shutdownGracefully()
        try? await group.shutdownGracefully()
        TemporaryDirectory.remove(directory)
    }
}

extension Logger {
    /// A logger that says nothing.
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Directories that tests make sockets in.
enum TemporaryDirectory {
    /// A new directory, short enough for a socket's path.
    static func make() throws -> String {
        var template = Array("/tmp/pixelboop-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ListenError.system("make a directory") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether something is there.
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Removes a directory and the files in it.
    static func remove(_ directory: String) {
        if let stream = opendir(directory) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(directory + "/" + name)
            }
            closedir(stream)
        }
        rmdir(directory)
    }
}
