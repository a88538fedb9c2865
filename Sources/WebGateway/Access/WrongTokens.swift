import Glibc
import NIOCore

/// Limits attempts to guess the token.
struct WrongTokens {
    /// How long a wrong token counts, and how long an address that sent too many is refused.
    static let period = TimeAmount.seconds(60)
    /// The most addresses to remember.
    static let capacity = 4096

    private struct Record {
        var times: [NIODeadline] = []
        var refusedUntil: NIODeadline?
    }

    /// Wrong tokens within ``period`` after which an address is refused.
    private let limit: Int
    private var records: [String: Record] = [:]

    init(limit: Int = 10) {
        self.limit = limit
    }

    /// The number of remembered addresses.
    var count: Int { records.count }

    mutating func note(from address: String, at now: NIODeadline) {
        if records[address] == nil, records.count >= Self.capacity { forgetOld(at: now) }
        var record = records[address] ?? Record()
        record.times = record.times.filter { $0 + Self.period > now } + [now]
        if record.times.count >= limit {
            record = Record(refusedUntil: now + Self.period)
        }
        records[address] = record
    }

    func refuse(_ address: String, at now: NIODeadline) -> Bool {
        records[address]?.refusedUntil.map { $0 > now } ?? false
    }

    /// How many more wrong tokens an address may send.
    func remaining(for address: String, at now: NIODeadline) -> Int {
        guard !refuse(address, at: now) else { return 0 }
        return limit - (records[address]?.times.count { $0 + Self.period > now } ?? 0)
    }

    /// Makes room: forgets expired records or, if none has expired, all.
    private mutating func forgetOld(at now: NIODeadline) {
        records = records.filter { _, record in
            record.refusedUntil.map { $0 > now } ?? (record.times.last.map { $0 + Self.period > now } ?? false)
        }
        if records.count >= Self.capacity { records = [:] }
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
