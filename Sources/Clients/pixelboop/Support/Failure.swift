import Configuration
import FoundationEssentials
import Media
import PixelBoopClient
import SystemSupport

/// The program's exit code.
enum ExitStatus: Int32 {
    case done = 0
    /// The daemon refused, or the command failed.
    case refused = 1
    /// The command line, or a file that it names, is wrong.
    case usage = 2
    /// There is no daemon, or the connection was lost.
    case noDaemon = 3
}

/// Why a command failed, in words that tell what to do.
struct Failure: Error {
    let status: ExitStatus
    /// Empty if there is nothing to report.
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What an error means for the command; nil for errors of the argument parser.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError: self.init(error)
        case let error as FileError: self.init(.usage, error.description)
        case let error as AudioFileError: self.init(.usage, error.description)
        case let error as ConfigurationError:
            self.init(.usage, error.problems.map(\.description).joined(separator: "; "))
        case is CancellationError: self.init(.done, "")
        default: return nil
        }
    }

    private static var openSessions: String {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: SocketPath.sessions())) ?? []
        let names = files.filter { $0.hasSuffix(SocketPath.sessionSuffix) }.sorted()
            .map { $0.dropLast(SocketPath.sessionSuffix.count) }
        return names.isEmpty ? "no session manager has a session open" : "sessions: \(names.joined(separator: ", "))"
    }

    private init(_ error: ClientError) {
        switch error {
        case .noDaemon(let path, let reason) where path.hasPrefix(SocketPath.sessions()):
            self.init(.noDaemon, "no daemon at \(path) (\(reason)): \(Self.openSessions)")
        case .noDaemon(let path, let reason) where path == SocketPath.own() && !SocketPath.isNamed:
            self.init(
                .noDaemon,
                """
                no daemon of yours at \(path) (\(reason)), nor one of the system's at \(SocketPath.system) that lets you \
                in: start yours with `pixelboopd`, or name a socket with --socket or \(SocketPath.variable)
                """)
        case .noDaemon(let path, let reason):
            let hint = "start it with `pixelboopd`, or name its socket with --socket or \(SocketPath.variable)"
            self.init(.noDaemon, "no daemon at \(path) (\(reason)): \(hint)")
        case .refused(let refusal) where refusal.code == .noAudio:
            self.init(.refused, "\(refusal); start JACK, the daemon joins it by itself")
        case .refused(let refusal)
        where refusal.code == .notFound && refusal.data?.objectValue?["name"] != nil:
            self.init(.refused, "\(refusal); `pixelboop list` shows what is there")
        case .refused(let refusal)
        where refusal.code == .notFound && refusal.data?.objectValue?["take"] != nil:
            self.init(.refused, "\(refusal); `pixelboop take` lists them")
        case .refused(let refusal) where refusal.code == .methodNotFound:
            let method = refusal.data?.objectValue?["method"]?.stringValue
            let advice = method.flatMap(MethodHelp.advice) ?? "`pixelboop call` lists all methods"
            self.init(.refused, "\(refusal)\(method.map { ": \($0)" } ?? ""); \(advice)")
        case .refused(let refusal):
            self.init(.refused, refusal.description)
        case .connectionLost, .protocolViolation:
            self.init(.noDaemon, error.description)
        case .callTooLong:
            self.init(.refused, error.description)
        }
    }
}
