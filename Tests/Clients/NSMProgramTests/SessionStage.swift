import DaemonTestSupport
import Foundation
import JSON
import JackTestSupport
import PixelBoopClient
import SurfaceTestSupport
import TestSupport
import Testing

/// A session manager, and the program that it starts.
struct SessionStage {
    /// The directory of the program's user.
    let directory: TemporaryDirectory
    let manager: ChildProgram
    let program: ChildProgram
    private let environment: [String: String]

    /// Starts the manager, but not the program.
    ///
    /// - Parameters:
    ///   - jackServer: The name of the server to join.
    ///   - user: Another stage's directory, to be the same user.
    init(
        jackServer: String = "none-\(UUID().uuidString.prefix(6))", as user: TemporaryDirectory? = nil,
        manager: String = "accept"
    ) async throws {
        directory = try user ?? TemporaryDirectory()
        self.manager = try ChildProgram(peer: "nsm_server.py", manager)
        let place = try JSONValue(parsing: Data(try #require(await self.manager.line()).utf8)).arrayValue
        let port = try #require(place?.last?.intValue)
        environment = [
            "NSM_URL": "osc.udp://localhost:\(port)/", "XDG_RUNTIME_DIR": "\(directory.path)/run",
            "JACK_DEFAULT_SERVER": jackServer,
        ]
        program = try ChildProgram(surface: "pixelboop-nsm", environment: environment, in: directory)
    }

    /// Starts the program.
    ///
    /// - Returns: Its announcement.
    func start() async throws -> JSONValue {
        try FileManager.default.createDirectory(atPath: "\(directory.path)/run", withIntermediateDirectories: true)
        try program.start()
        return try await hear()
    }

    /// Where the manager keeps a client's files.
    func folder(_ client: String) -> String { "\(directory.path)/sessions/\(client)" }

    func say(_ words: JSONValue...) { manager.write(String(decoding: JSONValue.array(words).bytes, as: UTF8.self)) }

    /// Has the manager open a session, with a client ID made from its name.
    func open(_ name: String) {
        say("/nsm/client/open", .string(folder(name)), .string("song \(name)"), .string("pixelboop.\(name)"))
    }

    /// The next message that the manager receives from the program.
    func hear() async throws -> JSONValue {
        let words = try JSONValue(parsing: Data(try #require(await manager.line()).utf8))
        #expect(words.arrayValue?.first != "wrong", "\(words)")
        return words
    }

    /// The next answer that the manager receives, with a text for people last; skips everything else.
    func answer() async throws -> [JSONValue] {
        while true {
            let words = try await hear().arrayValue ?? []
            if words.first == "/reply" || words.first == "/error" { return words }
        }
    }

    /// Expects that a request was carried out.
    func expectReply(to address: JSONValue) async throws {
        let answer = try await answer()
        #expect(answer.prefix(2) == ["/reply", address], "\(answer)")
    }

    /// The socket of the session's daemon.
    func socket(_ name: String) -> String { SocketPath.session(name, environment: environment) }

    /// Connects to a session's daemon.
    func connect(_ name: String) async throws -> PixelBoopClient {
        try await PixelBoopClient.connect(to: socket(name))
    }

    /// The PID of a session's daemon, from its lock on the session.
    func daemon(_ name: String) throws -> pid_t {
        let owner = try String(contentsOfFile: "\(folder(name))/state/lock", encoding: .utf8)
        return try #require(pid_t(owner.prefix { $0 != "\n" }))
    }

    /// Runs the command line as the same user.
    ///
    /// - Returns: The exit code, the output, and the errors.
    func pixelboop(_ arguments: String...) async throws -> (code: Int32, output: String, log: String) {
        let program = try ChildProgram(
            surface: "pixelboop", flags: arguments, environment: environment.merging(["PIXELBOOP_SOCKET": ""]) { $1 },
            in: directory)
        return try await program.run()
    }
}
