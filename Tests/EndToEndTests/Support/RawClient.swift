import DaemonTestSupport
import Foundation
import Glibc

/// A client that can send anything: bytes rather than calls.
final class RawClient {
    private let handle: FileHandle
    private let reader: LineReader

    init(path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno)!) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        reader = LineReader(handle)
    }

    func send(_ line: String) throws {
        try handle.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next line, nil when the daemon has closed the connection.
    func line() async -> String? { await reader.next() }

    func hangUp() { shutdown(handle.fileDescriptor, Int32(SHUT_RDWR)) }
}
