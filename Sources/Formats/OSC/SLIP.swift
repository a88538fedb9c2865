/// Packets in a stream of bytes (RFC 1055), each between two END bytes.
public enum SLIP {
    /// Stands before and after a packet.
    public static let end: UInt8 = 0xc0
    static let escape: UInt8 = 0xdb
    static let escapedEnd: UInt8 = 0xdc
    static let escapedEscape: UInt8 = 0xdd

    /// A packet as it appears in the stream.
    public static func encode(_ packet: [UInt8]) -> [UInt8] {
        var bytes = [end]
        for byte in packet {
            switch byte {
            case end: bytes += [escape, escapedEnd]
            case escape: bytes += [escape, escapedEscape]
            default: bytes.append(byte)
            }
        }
        return bytes + [end]
    }
}

/// Cuts a stream of bytes into packets.
public struct SLIPDecoder: Sendable {
    /// Why the stream is invalid; the rest of it cannot be relied on.
    public enum Failure: Error, Equatable, Sendable {
        /// A packet longer than the limit.
        case tooLong
        /// An escape before a byte that needs none.
        case badEscape
    }

    private let limit: Int
    private var packet: [UInt8] = []
    private var isEscaped = false

    /// A decoder at the beginning of a stream.
    ///
    /// - Parameter limit: The most bytes of a packet.
    public init(limit: Int) { self.limit = limit }

    /// Decodes bytes.
    ///
    /// - Returns: The packets that are complete now, without empty ones between two ENDs.
    public mutating func receive(_ bytes: some Sequence<UInt8>) throws(Failure) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        for byte in bytes {
            switch (byte, isEscaped) {
            case (SLIP.end, false):
                if !packet.isEmpty { packets.append(packet) }
                packet = []
            case (SLIP.escape, false): isEscaped = true
            case (_, false): try append(byte)
            case (SLIP.escapedEnd, true): try append(SLIP.end)
            case (SLIP.escapedEscape, true): try append(SLIP.escape)
            default: throw .badEscape
            }
        }
        return packets
    }

    private mutating func append(_ byte: UInt8) throws(Failure) {
        guard packet.count < limit else { throw .tooLong }
        packet.append(byte)
        isEscaped = false
    }
}
