import Glibc
import SystemSupport

/// A UDP socket that never blocks: a datagram for which there is no room is lost, as any may be.
final class DatagramSocket: Sendable {
    private let descriptor: CInt

    /// A socket on a port that the system chooses.
    ///
    /// - Throws: ``Failure`` if the system has none.
    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        set(SOL_SOCKET, SO_BROADCAST)
        // Hosts that refuse or are unreachable are reported with their addresses.
        set(CInt(IPPROTO_IP), IP_RECVERR)
    }

    deinit { close(descriptor) }

    /// Has multicast leave by an interface of the machine, or by the one that the routes say.
    ///
    /// Call this before each send: an interface that was plugged in again has another number.
    ///
    /// - Returns: Why that is impossible; nil if it is done.
    func useForMulticast(_ interface: String?) -> String? {
        let index = interface.map { if_nametoindex($0) } ?? 0
        if let interface, index == 0 { return "no interface \(interface)" }
        var request = ip_mreqn()
        request.imr_ifindex = CInt(index)
        let size = socklen_t(MemoryLayout<ip_mreqn>.size)
        guard setsockopt(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_IF, &request, size) == 0 else {
            return String(cString: strerror(errno))
        }
        return nil
    }

    private func set(_ level: CInt, _ option: CInt) {
        var isOn: CInt = 1
        setsockopt(descriptor, level, option, &isOn, socklen_t(MemoryLayout<CInt>.size))
    }

    /// The system provides no socket; its reason.
    struct Failure: Error, CustomStringConvertible {
        let reason: String
        var description: String { "no socket to send from: \(reason)" }
    }

    /// Sends a datagram.
    ///
    /// - Returns: Why it cannot be delivered; nil when it was sent, or dropped because there was no room.
    func send(_ bytes: [UInt8], to host: IPv4, port: UInt16) -> String? {
        // The first attempt may report the failure of an earlier datagram to any host.
        guard !sendOnce(bytes, to: host, port: port) && !sendOnce(bytes, to: host, port: port) else { return nil }
        return [EAGAIN, ENOBUFS, EINTR].contains(errno) ? nil : String(cString: strerror(errno))
    }

    private func sendOnce(_ bytes: [UInt8], to host: IPv4, port: UInt16) -> Bool {
        host.withPointer(port: port) { sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, $1) } >= 0
    }

    /// Why datagrams did not arrive, by host, as reported since the last call.
    func failures() -> [IPv4: String] {
        var failures: [IPv4: String] = [:]
        while let (host, reason) = nextFailure() { failures[host] = reason }
        return failures
    }

    private func nextFailure() -> (IPv4, String)? {
        var control = [UInt8](repeating: 0, count: 256)
        let (received, host, _) = IPv4.reported { address, length in
            control.withUnsafeMutableBytes { control in
                var message = msghdr()
                message.msg_name = UnsafeMutableRawPointer(address)
                message.msg_namelen = length.pointee
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return recvmsg(descriptor, &message, Int32(MSG_ERRQUEUE) | Int32(MSG_DONTWAIT))
            }
        }
        guard received >= 0 else { return nil }
        // ip(7): the header is followed by sock_extended_err, whose first member is the error number.
        let number = control.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: MemoryLayout<cmsghdr>.size, as: UInt32.self)
        }
        return (host, String(cString: strerror(CInt(number))))
    }
}
