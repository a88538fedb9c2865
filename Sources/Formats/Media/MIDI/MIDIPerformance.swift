import Music

/// What was played, as messages with their times, and the tempo that it had.
public struct MIDIPerformance: Sendable {
    /// A message of a track.
    public struct Message: Sendable {
        /// When, in ticks of which a quarter note has ``MIDIFile/ticksPerBeat``.
        public var tick: Int
        /// Its status and one or two more bytes.
        public var bytes: [UInt8]
    }

    /// The pattern's name.
    public let name: String
    private let sampleRate: Double
    /// In the order of their ticks; the first at tick 0.
    private var tempos: [(tick: Int, usecs: UInt32)] = []
    private var messages: [[Message]] = Array(repeating: [], count: Track.allCases.count)
    private var count = 0
    /// When the tempo changed last, in seconds: that of its tick.
    private var changeSeconds = 0.0

    /// A change of the tempo by less than this part is left out: who follows a clock has a new one each period.
    private static let tolerance = 1e-4

    /// Nothing yet.
    ///
    /// - Parameter sampleRate: Of the frames that say when something happens.
    public init(named name: String, sampleRate: Double) { (self.name, self.sampleRate) = (name, sampleRate) }

    /// Sets the tempo from a frame on, which is not before that of an earlier call of any function.
    public mutating func setTempo(_ bpm: Double, at frame: Int) {
        // In a file a quarter note lasts at most 2^24 µs.
        let usecs = UInt32(max(1, min(60e6 / max(bpm, 1e-3), 0xff_ffff)).rounded())
        guard let last = tempos.last else {
            tempos = [(0, usecs)]
            return
        }
        guard abs(Double(usecs) / Double(last.usecs) - 1) > Self.tolerance else { return }
        // A change lies on a whole tick, from which on the new tempo counts.
        let tick = self.tick(at: frame)
        changeSeconds += Double(tick - last.tick) * Double(last.usecs) * 1e-6 / Double(MIDIFile.ticksPerBeat)
        if last.tick == tick { tempos.removeLast() }
        tempos.append((tick, usecs))
    }

    /// Adds a message of a track, in the order of time.
    public mutating func add(_ bytes: [UInt8], of track: Track, at frame: Int) throws(MIDIFileError) {
        count += 1
        guard count <= MIDIFile.maximumMessages else { throw .tooManyMessages }
        messages[track.rawValue].append(Message(tick: tick(at: frame), bytes: bytes))
    }

    private func tick(at frame: Int) -> Int {
        let (tick, usecs) = tempos.last ?? (0, 500_000)
        let beats = (Double(frame) / sampleRate - changeSeconds) * 1e6 / Double(usecs)
        return tick + Int(min(max(0, beats * Double(MIDIFile.ticksPerBeat)), 0x1p40).rounded())
    }

    /// The bytes of its file, format 1: a track with the tempo, then the instrument's tracks.
    ///
    /// - Parameter end: The frame on which it ends; notes that sound then end there.
    public func file(until end: Int) -> [UInt8] {
        let last = max(tick(at: end), messages.compactMap { $0.last?.tick }.max() ?? 0)
        var conductor = MIDITrackChunk()
        conductor.append(.trackName, Array(name.utf8), at: 0)
        for tempo in tempos { conductor.append(.tempo, tempo.usecs.bigEndianBytes.suffix(3), at: tempo.tick) }
        var bytes = MIDIFile.header(trackCount: Track.allCases.count + 1) + conductor.bytes(end: last)
        for track in Track.allCases {
            var chunk = MIDITrackChunk()
            chunk.append(.trackName, Array(track.name.utf8), at: 0)
            for message in Self.ended(messages[track.rawValue], at: last) {
                chunk.append(message.bytes, at: message.tick)
            }
            bytes += chunk.bytes(end: last)
        }
        return bytes
    }

    /// The messages, and the ends of the notes that have none.
    private static func ended(_ messages: [Message], at end: Int) -> [Message] {
        var sounding: [[UInt8]] = []
        for message in messages {
            let key = [message.bytes[0] & 0xf, message.bytes[1]]
            switch message.bytes[0] & 0xf0 {
            case 0x90 where message.bytes[2] > 0: sounding.append(key)
            case 0x80, 0x90: sounding.removeAll { $0 == key }
            default: break
            }
        }
        return messages + sounding.map { Message(tick: end, bytes: [0x80 | $0[0], $0[1], 64]) }
    }
}
