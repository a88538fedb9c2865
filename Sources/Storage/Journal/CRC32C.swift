/// The Castagnoli cyclic redundancy check: finds every burst of up to 32 wrong bits, and all but one in 2^32 other errors.
///
/// Polynomial 0x1EDC6F41, reflected, as in iSCSI (RFC 3720, section 12.1, with test vectors in appendix B.4).
struct CRC32C {
    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82f6_3b78 }
    }

    private var register: UInt32 = 0xffff_ffff

    /// The checksum of all bytes taken so far.
    var value: UInt32 { ~register }

    /// Takes bytes in.
    mutating func update(_ bytes: some Sequence<UInt8>) {
        let table = Self.table
        for byte in bytes { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
    }

    /// The checksum of some bytes.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = CRC32C()
        crc.update(bytes)
        return crc.value
    }
}
