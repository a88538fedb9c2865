import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import TestSupport

/// A client that can send anything: bytes rather than calls.
final class RawClient {
    private let handle: FileHandle
    /// Nothing is read before the first line is asked for.
    private lazy var reader = LineReader(handle)

    init(path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard withUnixAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw POSIXError(.init(rawValue: errno)!)
        }
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
