import Foundation
import Glibc
import TestSupport

/// Watches whether a Unix domain socket accepts connections.
struct SocketWatch: Sendable {
    private let path: String
    private let notifications: FileHandle

    /// Watches from now on.
    init(path: String) throws {
        self.path = path
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let directory = URL(filePath: path).deletingLastPathComponent().path
        guard descriptor >= 0, inotify_add_watch(descriptor, directory, UInt32(IN_CREATE | IN_DELETE)) >= 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        notifications = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Waits until something about the socket is true; false when it does not become so in time.
    func wait(until isTrue: @escaping @Sendable () -> Bool, for limit: Duration) async -> Bool {
        await onThread { [self] in
            let deadline = ContinuousClock.now + limit
            while ContinuousClock.now < deadline {
                if isTrue() { return true }
                waitForChange()
            }
            return false
        }
    }

    /// Waits for a file in the directory to come or go; at most 100 ms, because a socket that has appeared accepts
    /// connections only a moment later.
    private func waitForChange() {
        var entry = pollfd(fd: notifications.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 100) > 0 else { return }
        var events = [UInt8](repeating: 0, count: 4096)
        _ = read(notifications.fileDescriptor, &events, events.count)
    }

    /// Whether somebody accepts connections.
    var isConnectable: Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnixAddress(path) { connect(descriptor, $0, $1) } == 0
    }
}
