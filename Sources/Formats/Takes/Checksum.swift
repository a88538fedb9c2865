import CZlib

/// The CRC-32 of bytes.
///
/// - Parameter start: That of what came before them.
func checksum(of bytes: [UInt8], after start: UInt32 = 0) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(UInt(start), bytes, UInt32(bytes.count)))
}
