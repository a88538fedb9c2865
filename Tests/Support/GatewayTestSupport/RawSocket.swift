import Dispatch
import Glibc
import Synchronization

/// A TCP connection that can send anything.
package final class RawSocket: Sendable {
    package struct Ended: Error {
        package init() {}
    }

    private let descriptor: CInt
    private let readers = DispatchQueue(label: "raw socket, reading")
    private let writers = DispatchQueue(label: "raw socket, writing")
    /// Bytes that were received and not asked for yet.
    private let unread = Mutex<[UInt8]>([])

    /// Connects to a port of this machine.
    ///
    /// - Parameter room: The kernel's buffer in each direction, in bytes; by default as large as it likes.
    package init(port: Int, room: CInt? = nil) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        if var size = room {
            for option in [SO_RCVBUF, SO_SNDBUF] { setsockopt(descriptor, SOL_SOCKET, option, &size, 4) }
        }
        // Nothing here takes this long; without it a fault would hang the test.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // Family, port, address and padding of a `sockaddr_in`.
        let place =
            [UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 0xff), 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        let result = place.withUnsafeBytes { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else { throw Ended() }
    }

    /// Takes over a connected socket.
    package init(adopting descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Sends bytes; those that the other side no longer reads are lost.
    package func send(_ bytes: [UInt8]) async throws {
        try await blocking(on: writers) { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Ended() }
                rest = rest.dropFirst(count)
            }
        }
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    package func read(_ count: Int) async throws -> [UInt8] {
        try await fetch { $0.count >= count ? count : nil }
    }

    /// Everything up to and including `end`.
    package func read(through end: String) async throws -> String {
        let end = Array(end.utf8)
        let bytes = try await fetch { bytes in bytes.firstRange(of: end)?.upperBound }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything up to the end of the connection.
    package func rest() async -> [UInt8] {
        while (try? await more()) != nil {}
        return unread.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
    }

    /// Discards received data every 100 ms during `work`, like a page that hardly reads.
    ///
    /// One that does not read at all may be unable to send for minutes: if there is no room for data,
    /// Linux drops it together with the acknowledgement in it.
    package func hardlyReading<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        let timer = DispatchSource.makeTimerSource(queue: readers)
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.setEventHandler { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        }
        timer.resume()
        defer { timer.cancel() }
        return try await work()
    }

    /// Signals that nothing more will be sent.
    package func finish() { shutdown(descriptor, CInt(SHUT_WR)) }

    private func fetch(_ end: @Sendable ([UInt8]) -> Int?) async throws -> [UInt8] {
        while true {
            let taken = unread.withLock { bytes -> [UInt8]? in
                guard let count = end(bytes) else { return nil }
                defer { bytes.removeFirst(count) }
                return Array(bytes[..<count])
            }
            if let taken { return taken }
            try await more()
        }
    }

    private func more() async throws {
        try await blocking(on: readers) { [self] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw Ended() }
            unread.withLock { $0 += bytes[..<count] }
        }
    }

    /// Waits on a separate thread, because the tests have few.
    private func blocking(on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { done.resume(with: Result { try body() }) }
        }
    }
}
