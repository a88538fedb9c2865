import FoundationEssentials
import Glibc
import SystemSupport

/// Where the daemon's control socket is.
public enum SocketPath {
    /// The variable that names the socket for daemon and clients.
    public static let variable = "PIXELBOOP_SOCKET"

    /// The longest path of a Unix-domain socket, in bytes (`sun_path`, less its final zero).
    public static let maximumLength = UnixAddress.longestPath

    /// Whether the environment names the socket.
    public static var isNamed: Bool { value(variable, in: ProcessInfo.processInfo.environment) != nil }

    /// The socket of the system's daemon, which plays for all users of a machine without a desktop.
    public static let system = "/run/pixelboop/control.sock"

    /// The socket's path: `PIXELBOOP_SOCKET`, else the user's own daemon's, else the system daemon's if that runs and
    /// the user's does not.
    ///
    /// - Parameters:
    ///   - environment: The variables to read, by default this process's.
    ///   - system: The socket of the system's daemon.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment, system: String = system
    ) -> String {
        if let named = value(variable, in: environment) { return named }
        let own = own(environment: environment)
        return UnixAddress.isServed(own) || !UnixAddress.isServed(system) ? own : system
    }

    /// The socket of the user's own daemon: `pixelboop/control.sock` in `XDG_RUNTIME_DIR`, else in systemd's runtime
    /// directory for the user.
    public static func own(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory(environment) + "/control.sock"
    }

    /// The folder with the sockets of sessions that are open in a session manager.
    public static func sessions(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory(environment) + "/sessions"
    }

    /// The socket of a session that is open in a session manager.
    ///
    /// - Parameters:
    ///   - name: The name of the JACK client or of the session; slashes become `_`.
    ///   - environment: The variables to read, by default this process's.
    public static func session(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        "\(sessions(environment: environment))/\(name.replacing("/", with: "_"))\(sessionSuffix)"
    }

    /// The extension of session sockets.
    public static let sessionSuffix = ".sock"

    private static func directory(_ environment: [String: String]) -> String {
        (value("XDG_RUNTIME_DIR", in: environment) ?? "/run/user/\(getuid())") + "/pixelboop"
    }

    private static func value(_ name: String, in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
