import Foundation

/// Where the daemon's control socket is.
public enum SocketPath {
    /// The variable that names the socket for daemon and clients alike.
    public static let variable = "PIXELBOOP_SOCKET"

    /// Bytes that the address of a Unix-domain socket has room for (`sun_path`, less its final zero).
    public static let maximumLength = 107

    /// The socket's path: `PIXELBOOP_SOCKET`, else `pixelboop/control.sock` in `XDG_RUNTIME_DIR`, else in the place that
    /// systemd gives every user for that.
    ///
    /// - Parameter environment: The variables to look at; this process's unless told otherwise.
    public static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let directory = value("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
        return value(variable) ?? directory + "/pixelboop/control.sock"
    }
}
