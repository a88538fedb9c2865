import Foundation
import UnixAddress

/// Where the daemon's control socket is.
public enum SocketPath {
    /// The variable that names the socket for daemon and clients alike.
    public static let variable = "PIXELBOOP_SOCKET"

    /// Bytes that the address of a Unix-domain socket has room for (`sun_path`, less its final zero).
    public static let maximumLength = UnixAddress.longestPath

    /// The socket's path: `PIXELBOOP_SOCKET`, else `pixelboop/control.sock` in `XDG_RUNTIME_DIR`, else in the place that
    /// systemd gives every user for that.
    ///
    /// - Parameter environment: The variables to look at; this process's unless told otherwise.
    public static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        value(variable, in: environment) ?? directory(environment) + "/control.sock"
    }

    /// The folder with the sockets of sessions that a session manager has open.
    public static func sessions(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        directory(environment) + "/sessions"
    }

    /// The socket of a session that a session manager has open.
    ///
    /// - Parameter name: The name of the JACK client, or the session's own; a slash in it stands as `_`.
    public static func session(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        "\(sessions(environment: environment))/\(name.replacing("/", with: "_"))\(sessionSuffix)"
    }

    /// What the names of sessions' sockets end with.
    public static let sessionSuffix = ".sock"

    private static func directory(_ environment: [String: String]) -> String {
        (value("XDG_RUNTIME_DIR", in: environment) ?? "/run/user/\(getuid())") + "/pixelboop"
    }

    private static func value(_ name: String, in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
