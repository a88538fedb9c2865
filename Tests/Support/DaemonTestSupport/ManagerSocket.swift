import Foundation
import Glibc
import SystemSupport
import TestSupport

/// The other end of `NOTIFY_SOCKET`: receives what a program sends its service manager.
public final class ManagerSocket: Sendable {
    /// The value of `NOTIFY_SOCKET`: a name in the abstract namespace.
    public let name = "@pixelboop-manager-\(UUID().uuidString)"
    private let descriptor: Int32

    public init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard let address = UnixAddress(name), address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    deinit { close(descriptor) }

    /// Waits for the next notice, or the next that contains a text; nil on a timeout.
    public func notice(_ text: String? = nil, within limit: Duration = .seconds(30)) async -> String? {
        await onThread { [self] in receive(text, until: .now + limit) }
    }

    /// Waits until the watchdog is no longer fed: for two seconds, five times the timeout of a watchdog set to 400 ms.
    /// Drops what has already arrived.
    ///
    /// - Parameter count: How many notices may still be under way.
    /// - Returns: Whether no more than that came.
    public func starves(afterAtMost count: Int = 1) async -> Bool {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 {}
        for _ in 0...count {
            if await notice("WATCHDOG=1", within: .seconds(2)) == nil { return true }
        }
        return false
    }

    private func receive(_ text: String?, until deadline: ContinuousClock.Instant) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let rest = max(.zero, deadline - .now)
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(rest / .milliseconds(1))) > 0 else { return nil }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            let notice = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
            if text.map(notice.contains) ?? true { return notice }
        }
    }
}
