import Configuration
import Glibc

/// A connection that is made to see whether somebody answers.
enum TCPProbe {
    /// Seconds that the other side has.
    private static let patience = 2

    /// Why nobody answers at an address; nil when somebody does.
    static func refusal(of place: ListenAddress) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(place.address, String(place.port), &hints, &found) == 0, let found else {
            return "no address"
        }
        defer { freeaddrinfo(found) }
        let probe = socket(found.pointee.ai_family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return String(cString: strerror(errno)) }
        defer { close(probe) }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        // It limits connecting, too (socket(7)).
        setsockopt(probe, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
        guard connect(probe, found.pointee.ai_addr, found.pointee.ai_addrlen) != 0 else { return nil }
        return String(cString: strerror(errno))
    }
}
