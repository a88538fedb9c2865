import FoundationEssentials
import Glibc
import SystemSupport

/// Where the daemon's control socket is.
public enum SocketPath {
    /// The variable that names the socket for daemon and clients alike.
    public static let variable = "PIXELBOOP_SOCKET"

    /// Bytes that the address of a Unix-domain socket has room for (`sun_path`, less its final zero).
    public static let maximumLength = UnixAddress.longestPath

    /// Whether the environment names the socket.
    public static var isNamed: Bool { value(variable, in: ProcessInfo.processInfo.environment) != nil }

    /// Where the system's daemon listens, which plays for everybody on a machine without a desktop.
    public static let system = "/run/pixelboop/control.sock"

    /// The socket's path: `PIXELBOOP_SOCKET`, else that of the user's own daemon, else that of the system's daemon if it
    /// runs and the user's does not.
    ///
    /// - Parameters:
    ///   - environment: The variables to look at, by default this process's.
    ///   - system: Where the system's daemon listens.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment, system: String = system
    ) -> String {
        if let named = value(variable, in: environment) { return named }
        let own = own(environment: environment)
        return UnixAddress.isServed(own) || !UnixAddress.isServed(system) ? own : system
    }

    /// The socket of the user's own daemon: `pixelboop/control.sock` in `XDG_RUNTIME_DIR`, else in systemd's directory
    /// for the user.
    public static func own(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory(environment) + "/control.sock"
    }

    /// The folder with the sockets of sessions that a session manager has open.
    public static func sessions(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory(environment) + "/sessions"
    }

    /// The socket of a session that a session manager has open.
    ///
    /// - Parameters:
    ///   - name: The name of the JACK client, or the session's own; slashes become `_`.
    ///   - environment: The variables to look at; by default this process's.
    public static func session(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        "\(sessions(environment: environment))/\(name.replacing("/", with: "_"))\(sessionSuffix)"
    }

    /// The ending of the names of sessions' sockets.
    public static let sessionSuffix = ".sock"

    private static func directory(_ environment: [String: String]) -> String {
        (value("XDG_RUNTIME_DIR", in: environment) ?? "/run/user/\(getuid())") + "/pixelboop"
    }

    private static func value(_ name: String, in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
