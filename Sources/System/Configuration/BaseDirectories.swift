import SystemSupport

/// Where this program's files belong, according to what systemd passes to its units, else by the XDG Base Directory
/// Specification (version 0.8).
public struct BaseDirectories: Equatable, Sendable {
    /// For sockets; nil if the environment does not define it.
    public var runtime: String?
    /// For the session; nil if the environment does not define it.
    public var state: String?
    /// For the library; nil if the environment does not define it.
    public var data: String?
    /// For what can be made again; nil if the environment does not define it.
    public var cache: String?
    /// Where a configuration file is looked for, in order.
    public var configuration: [String]
    /// The user's home directory.
    public var home: String?

    /// The longest path that a Unix-domain socket can have, in bytes (`sockaddr_un`, less the terminating zero).
    public static let socketPathLimit = UnixAddress.longestPath

    /// The socket where the daemon listens and its clients look for it.
    public var controlSocket: String? { runtime.map { "\($0)/control.sock" } }

    private static let program = "pixelboop"
    private static let system = "/etc/\(program)"

    public init(environment: [String: String]) {
        let home = Self.absolute(environment["HOME"])
        func unit(_ variable: String) -> [String] {
            environment[variable, default: ""].split(separator: ":").compactMap { Self.absolute(String($0)) }
        }
        func directory(_ base: String, default path: String?) -> String? {
            let base = Self.absolute(environment[base]) ?? path.flatMap { path in home.map { "\($0)/\(path)" } }
            return base.map { "\($0)/\(Self.program)" }
        }
        self.home = home
        // Only the daemon's own: another service has its own there but looks for the daemon's socket.
        runtime =
            unit("RUNTIME_DIRECTORY").first { $0.hasSuffix("/\(Self.program)") }
            ?? directory("XDG_RUNTIME_DIR", default: nil)
        state = unit("STATE_DIRECTORY").first ?? directory("XDG_STATE_HOME", default: ".local/state")
        data = directory("XDG_DATA_HOME", default: ".local/share")
        cache = unit("CACHE_DIRECTORY").first ?? directory("XDG_CACHE_HOME", default: ".cache")
        let user = directory("XDG_CONFIG_HOME", default: ".config")
        configuration = [unit("CONFIGURATION_DIRECTORY").first, user, Self.system].compactMap(\.self)
    }

    /// The specification demands that relative and empty paths be ignored.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        let end = path.lastIndex { $0 != "/" } ?? path.startIndex
        return String(path[...end])
    }
}

extension BaseDirectories {
    /// One of the directories, as the base of a default.
    public enum Base: Sendable {
        case runtime
        case state
        case data

        var words: String {
            switch self {
            case .runtime: "$XDG_RUNTIME_DIR/\(program)"
            case .state: "$XDG_STATE_HOME/\(program)"
            case .data: "$XDG_DATA_HOME/\(program)"
            }
        }

        /// The environment variable without which it is unknown.
        var variable: String { self == .runtime ? "XDG_RUNTIME_DIR" : "HOME" }

        func directory(_ directories: BaseDirectories) -> String? {
            switch self {
            case .runtime: directories.runtime
            case .state: directories.state
            case .data: directories.data
            }
        }
    }
}
