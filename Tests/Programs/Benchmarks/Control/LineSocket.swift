import Glibc
import JackTestSupport

/// A blocking Unix-domain socket that is read line by line, with as little work as possible: its time counts in the
/// measurement.
final class LineSocket: LineChannel {
    /// A failed system call.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let code = errno

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    let descriptor: CInt
    private var buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0

    /// A socket, which is closed with this value.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        buffer = .allocate(byteCount: 1 << 17, alignment: 16)
    }

    /// Connects to a socket; a read that takes longer than 10 s fails.
    convenience init(connectingTo path: String) throws {
        self.init(try Self.connection(to: path))
    }

    /// A connection to a socket, whose reads fail after 10 s; the caller must close it.
    static func connection(to path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        limitReads(from: descriptor)
        guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            let failure = Failure(call: "connect to \(path)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Makes reads fail after 10 s.
    static func limitReads(from descriptor: CInt) {
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Connects to a socket of a process that is still starting.
    convenience init(awaiting path: String) throws {
        let deadline = monotonicSeconds() + 10
        while monotonicSeconds() < deadline {
            if let descriptor = try? Self.connection(to: path) {
                self.init(descriptor)
                return
            }
            usleep(1000)
        }
        try self.init(connectingTo: path)
    }

    /// Connects to the daemon, and subscribes to the picture at 60 frames a second.
    convenience init(subscribingAt path: String) throws {
        try self.init(connectingTo: path)
        try call("subscribe", #"{"topics":["frame"],"maxFps":60}"#)
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    func send(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(call: "send")
        }
    }

    /// The next line, its newline included; valid until the next call.
    func line() throws -> UnsafeRawBufferPointer {
        var searched = start
        while true {
            if let newline = memchr(buffer.baseAddress! + searched, 10, end - searched) {
                let lineStart = start
                start = buffer.baseAddress!.distance(to: newline) + 1
                return UnsafeRawBufferPointer(rebasing: buffer[lineStart..<start])
            }
            if start > 0 {
                memmove(buffer.baseAddress!, buffer.baseAddress! + start, end - start)
                (start, end) = (0, end - start)
            }
            searched = end
            let count = read(descriptor, buffer.baseAddress! + end, buffer.count - end)
            guard count > 0 else { throw Failure(call: "read") }
            end += count
        }
    }
}

func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Sleeps until a moment of the monotonic clock, in seconds.
func sleep(untilMonotonic seconds: Double) {
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}
