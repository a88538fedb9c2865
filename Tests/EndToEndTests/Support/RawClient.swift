import DaemonTestSupport
import Foundation
import Glibc

/// A client that can send anything: bytes rather than calls.
final class RawClient {
    private let handle: FileHandle
    /// Nothing is read before the first line is asked for.
    private lazy var reader = LineReader(handle)

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
    }

    func send(_ line: String) throws {
        try send([Array(line.utf8)])
    }

    /// Sends lines, newlines added.
    func send(_ lines: [[UInt8]]) throws {
        try handle.write(contentsOf: Data(lines.flatMap { $0 + [UInt8(ascii: "\n")] }))
    }

    /// The next line, nil when the daemon has closed the connection.
    func line() async -> String? { await reader.next() }

    func hangUp() { shutdown(handle.fileDescriptor, Int32(SHUT_RDWR)) }
}
