import Glibc

/// The address of a Unix-domain socket, as system calls take it.
public struct UnixAddress: Sendable {
    /// Maximum bytes of a path, without the zero at its end.
    public static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// The system's structure, for interfaces without a length; incomplete for an abstract name.
    public private(set) var address = sockaddr_un()
    private let length: socklen_t

    /// The address of a path; nil if it is empty, longer than ``longestPath`` or holds a zero.
    public init?(path: String) {
        guard !path.utf8.contains(0) else { return nil }
        self.init(Array(path.utf8))
    }

    /// An address as service managers write it: an absolute path, or a name in Linux's abstract namespace after an `@`.
    /// Nil for anything else, or if it is too long.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard bytes.count > 1, !bytes.contains(0) else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "/"): break
        case UInt8(ascii: "@"): bytes[0] = 0
        default: return nil
        }
        self.init(bytes)
    }

    /// Whether a socket accepts this process's connections.
    public static func isServed(_ path: String) -> Bool {
        guard let address = UnixAddress(path: path) else { return false }
        let probe = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        return address.withPointer { connect(probe, $0, $1) } == 0
    }

    private init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= UnixAddress.longestPath else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name is as long as the address says; a path ends with a zero that is not counted.
        length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + bytes.count)
    }

    /// Calls a system function with the address and its length.
    public func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
