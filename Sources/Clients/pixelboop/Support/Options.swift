import ArgumentParser
import JSON
import PixelBoopClient

struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon's control socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The session that a session manager has open, by its name or that of its JACK client.", valueName: "name"))
    var session: String?

    var path: String { named ?? SocketPath.standard() }

    /// Whether commands talk to the system's daemon.
    var isSystem: Bool { path == SocketPath.system }

    private var named: String? { socket ?? session.map { SocketPath.session($0) } }

    /// The daemon in words: its socket, and its owner unless the command line names the socket.
    var place: String {
        let path = path
        guard named == nil else { return path }
        return switch path {
        case SocketPath.system: "the system's, \(path)"
        case SocketPath.own(): "your own, \(path)"
        default: "\(path), as \(SocketPath.variable) says"
        }
    }

    /// The socket that the words of an unfinished command select.
    static func socket(in words: [String]) -> String {
        func value(of option: String) -> String? {
            guard let place = words.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") })
            else { return nil }
            if words[place] != option { return String(words[place].dropFirst(option.count + 1)) }
            let following = words.dropFirst(place + 1)
            // Bash makes three words of `--socket=PATH`.
            return following.first == "=" ? following.dropFirst().first : following.first
        }
        return value(of: "--socket") ?? value(of: "--session").map { SocketPath.session($0) } ?? SocketPath.standard()
    }

    func validate() throws {
        guard socket == nil || session == nil else {
            throw ValidationError("use either --socket or --session, not both")
        }
        guard socket != "" else { throw ValidationError("--socket: expected a path, got ''") }
        guard session != "" else { throw ValidationError("--session: expected a name, got ''") }
    }

    /// Connects, introduces this program and runs a body.
    func withClient<Result>(
        touch: TouchSurface? = nil, _ body: (PixelBoopClient) async throws -> Result
    ) async throws -> Result {
        let client = try await PixelBoopClient.connect(to: path)
        defer { client.close() }
        try await client.hello(client: "pixelboop", touch: touch)
        return try await body(client)
    }
}

/// How results are printed.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of words.")
    var json = false

    /// Prints a result: as one line of JSON if asked for, else in words, if there are any.
    func print(_ json: @autoclosure () -> JSONValue, _ words: @autoclosure () -> String) throws {
        if self.json { return try Output.line(json()) }
        let words = words()
        if !words.isEmpty { try Output.line(words) }
    }

    /// Prints the output of a silent command: an empty object if JSON is requested.
    func printDone() throws { try print([:], "") }

    func print(_ message: some WireMessage, _ words: @autoclosure () -> String) throws {
        try print(.object(message.json), words())
    }
}
