import Glibc
import NIOCore

/// Counts wrong tokens for the log, which gets one line a minute, however many come: the first one at once, and how many
/// followed when the minute is over. Nobody is locked out for them: 128 bits cannot be guessed, and behind a proxy one
/// visitor would lock out all.
struct WrongTokens {
    static let period = TimeAmount.seconds(60)

    /// Those that the log does not have yet; nil while no period runs.
    private var unreported: Int?
    private var lastAddress = ""

    /// Notes a wrong token; returns a line for the log if a period begins with it.
    mutating func note(from address: String) -> String? {
        lastAddress = address
        guard let count = unreported else {
            unreported = 0
            return "wrong token from \(address)"
        }
        unreported = count + 1
        return nil
    }

    /// Ends a period, or all of them; returns a line for the log if tokens followed, and then another period begins.
    mutating func endPeriod() -> String? {
        let count = unreported ?? 0
        unreported = count > 0 ? 0 : nil
        guard count > 0 else { return nil }
        return "\(count) more wrong \(count == 1 ? "token" : "tokens"), the last from \(lastAddress)"
    }
}

extension SocketAddress {
    var isLoopback: Bool {
        switch self {
        case .v4: return ipAddress?.hasPrefix("127.") ?? false
        case .v6:
            let bytes = ipv6Bytes
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
            return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 || isMapped && bytes[12] == 127
        case .unixDomainSocket: return true
        }
    }

    /// Identifies another machine; nil for this one.
    var otherHost: String? { isLoopback ? nil : party }

    /// Identifies the remote side: an IPv4 address, or the network part of an IPv6 address, because a host can choose
    /// the rest.
    var party: String {
        guard case .v6 = self else { return ipAddress ?? "" }
        let bytes = ipv6Bytes
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff
        return (isMapped ? bytes[...] : bytes.prefix(8)).map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// The 16 bytes of an IPv6 address, in network order.
    private var ipv6Bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        inet_pton(AF_INET6, ipAddress ?? "::", &bytes)
        return bytes
    }
}
