import Glibc
import SystemSupport

/// A notification from a service to its manager (sd_notify(3)).
public enum ServiceNotice: Equatable, Sendable {
    /// It is ready: clients can connect.
    case ready
    /// A line for `systemctl status`.
    case status(String)
    /// It is rereading its configuration; ``ready`` ends this.
    case reloading(monotonicMicroseconds: UInt64)
    /// It is about to end.
    case stopping
    /// It is alive.
    case watchdog

    /// It is rereading its configuration, as of now.
    public static var reloadingNow: ServiceNotice {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return .reloading(monotonicMicroseconds: UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000)
    }

    var assignment: String {
        switch self {
        case .ready: "READY=1"
        case .status(let text): "STATUS=" + text.replacing("\n", with: " ")
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        }
    }
}

/// The connection to the service manager that started the process. Never blocks: a notice that finds no room is lost.
public final class ServiceManager: Sendable {
    private let address: UnixAddress
    private let descriptor: Int32

    /// The manager that the environment's `NOTIFY_SOCKET` names; nil if there is none.
    public init?(environment: [String: String]) {
        guard let name = environment["NOTIFY_SOCKET"], let address = UnixAddress(name) else { return nil }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Notifies the manager; several notices arrive together.
    ///
    /// - Returns: Whether the manager received it.
    @discardableResult
    public func notify(_ notices: ServiceNotice...) -> Bool {
        let message = Array(notices.map(\.assignment).joined(separator: "\n").utf8)
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return address.withPointer { sendto(descriptor, message, message.count, flags, $0, $1) } == message.count
    }
}
