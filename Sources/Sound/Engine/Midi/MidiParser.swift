/// Parses bytes into messages: handles running status, skips system exclusive messages, and counts invalid ones.
struct MidiParser: BitwiseCopyable {
    /// The status that data bytes belong to, 0 for none.
    private var status: UInt8 = 0
    private var first: UInt8 = 0
    /// Data bytes received so far.
    private var dataCount: UInt8 = 0
    /// Whether a message has begun and lacks data bytes.
    private var isUnderWay = false
    private var isInExclusive = false
    /// Messages and stray bytes that were skipped.
    private(set) var skippedCount: UInt64 = 0

    /// Parses the next byte.
    ///
    /// - Returns: The message that it completes, with frame 0.
    mutating func parse(_ byte: UInt8) -> MidiEvent? {
        if byte >= 0xf8 { return parseRealtime(byte) }
        if byte < 0x80 { return parseData(byte) }
        breakOff()
        return byte >= 0xf0 ? parseCommon(byte) : begin(byte)
    }

    /// A system real-time message, which may come inside any other.
    private mutating func parseRealtime(_ byte: UInt8) -> MidiEvent? {
        if byte == 0xf9 || byte == 0xfd {
            skippedCount += 1
            return nil
        }
        return MidiEvent(frame: 0, byte)
    }

    /// Drops an incomplete message.
    private mutating func breakOff() {
        if isUnderWay { skippedCount += 1 }
        isUnderWay = false
        dataCount = 0
    }

    private mutating func begin(_ byte: UInt8) -> MidiEvent? {
        isInExclusive = false
        status = byte
        isUnderWay = true
        return nil
    }

    private mutating func parseCommon(_ byte: UInt8) -> MidiEvent? {
        let wasInExclusive = isInExclusive
        isInExclusive = byte == 0xf0
        status = 0
        switch byte {
        case 0xf1, 0xf2, 0xf3: return begin(byte)
        case 0xf6: return MidiEvent(frame: 0, byte)
        case 0xf7 where wasInExclusive: return nil
        // Counts exclusive messages at their beginning, undefined messages, and a stray end.
        default:
            skippedCount += 1
            return nil
        }
    }

    private mutating func parseData(_ byte: UInt8) -> MidiEvent? {
        if isInExclusive { return nil }
        guard status != 0 else {
            skippedCount += 1
            return nil
        }
        isUnderWay = true
        dataCount += 1
        if dataCount == 1 { first = byte }
        guard dataCount == MidiParser.dataCount(of: status) else { return nil }
        let event = MidiEvent(
            frame: 0, count: dataCount + 1, status, first, dataCount == 2 ? byte : 0)
        isUnderWay = false
        dataCount = 0
        if status >= 0xf0 { status = 0 }
        return event
    }

    private static func dataCount(of status: UInt8) -> UInt8 {
        switch status & 0xf0 {
        case 0xc0, 0xd0: 1
        case 0xf0: status == 0xf2 ? 2 : 1
        default: 2
        }
    }
}
