/// A track of a Standard MIDI File; events must be added in the order of their ticks.
struct MIDITrackChunk {
    /// Events that are not sent to instruments.
    enum MetaEvent: UInt8 {
        case trackName = 0x03
        case endOfTrack = 0x2f
        case tempo = 0x51
        case timeSignature = 0x58
        case keySignature = 0x59
    }

    private var events: [UInt8] = []
    private var lastTick = 0

    /// After a pause that is too long for a file, everything is earlier.
    mutating func append(_ message: [UInt8], at tick: Int) {
        events.append(variableLength: min(tick - lastTick, 0x0fff_ffff))
        events += message
        lastTick = tick
    }

    mutating func append(_ event: MetaEvent, _ content: some Collection<UInt8>, at tick: Int) {
        var message: [UInt8] = [0xff, event.rawValue]
        message.append(variableLength: content.count)
        append(message + content, at: tick)
    }

    /// The whole chunk, the track ending at a tick.
    func bytes(end: Int) -> [UInt8] {
        var complete = self
        complete.append(.endOfTrack, [], at: end)
        var bytes = Array("MTrk".utf8)
        bytes.append(bigEndian: UInt32(complete.events.count))
        return bytes + complete.events
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}

extension [UInt8] {
    mutating func append(bigEndian number: some FixedWidthInteger) {
        self += number.bigEndianBytes
    }

    /// Appends a number, 0 to 0x0fffffff, seven bits a byte, the highest first; all bytes but the last have bit 7 set.
    mutating func append(variableLength number: Int) {
        precondition((0...0x0fff_ffff).contains(number), "\(number) has more than 28 bits")
        for shift in [21, 14, 7] where number >> shift > 0 {
            append(UInt8(number >> shift & 0x7f) | 0x80)
        }
        append(UInt8(number & 0x7f))
    }
}
