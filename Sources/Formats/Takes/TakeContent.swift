import Engine
import Instrument
import Music

/// The content of a take: records in their order, each a byte that says what it is, its length, and its bytes. What a log refers
/// to comes before it.
enum TakeContent {
    static let beginning: UInt8 = 1
    static let log: UInt8 = 2
    static let score: UInt8 = 3
    static let timeline: UInt8 = 4
    static let kit: UInt8 = 5

    static func record(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(byte: kind)
        writer.write(bytes.count)
        return writer.bytes + bytes
    }

    static func bytes(of beginning: TakeBeginning) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(exact: beginning.sampleRate)
        writer.write(signed: beginning.frame)
        writer.write(UInt64(beginning.numbers.score))
        writer.write(UInt64(beginning.numbers.timeline))
        writer.write(signed: Int64(beginning.numbers.kit))
        writer.write(beginning.memoryVersion)
        writer.write(beginning.memory.count)
        // The engine trusts these bytes.
        writer.write(UInt64(checksum(of: beginning.memory)))
        writer.write(raw: beginning.memory)
        return writer.bytes
    }

    /// A timeline with its number.
    static func bytes(of news: TimelineNews, number: UInt) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(UInt64(number))
        writer.write(signed: Int64(news.holder))
        writer.write(signed: Int64(news.orderCount))
        writer.write(signed: Int64(news.tempoRevision))
        guard let timeline = news.timeline else {
            writer.write(byte: 0)
            return writer.bytes
        }
        let isPlaying: UInt8 = timeline.isPlaying.map { $0 ? 4 : 2 } ?? 0
        let options: UInt8 =
            (timeline.playingUsecs == nil ? 0 : 8) | (timeline.quantum == nil ? 0 : 16)
            | (timeline.peers == nil ? 0 : 32)
        writer.write(byte: 1 | isPlaying | options)
        writer.write(exact: timeline.beat)
        writer.write(signed: timeline.usecs)
        writer.write(exact: timeline.bpm)
        if let usecs = timeline.playingUsecs { writer.write(signed: usecs) }
        if let quantum = timeline.quantum { writer.write(exact: quantum) }
        if let peers = timeline.peers { writer.write(signed: Int64(peers)) }
        return writer.bytes
    }

    /// A kit with its number.
    static func bytes(of kit: KitFingerprint?, number: Int) -> [UInt8] {
        var writer = CompactWriter()
        writer.write(signed: Int64(number))
        guard let kit else { return writer.bytes }
        writer.write(kit.name)
        writer.write(kit.sampleRate)
        writer.write(kit.drums.count)
        for drum in kit.drums {
            writer.write(drum.drum)
            writer.write(drum.file)
            writer.write(drum.samples)
            writer.write(exact: Double(drum.place))
        }
        return writer.bytes
    }
}

/// A record of a take's content.
public enum TakeContentRecord: Sendable {
    case beginning(TakeBeginning)
    /// A part of the log, cut between two entries.
    case log([UInt8])
    case score(UInt, ScoreSource)
    case timeline(UInt, TimelineNews)
    case kit(Int, KitFingerprint?)
}

/// Reads the content of a take from its compressed pieces.
public struct TakeContentReader {
    private let stream = InflateStream()
    private var scores = ScoreDecoder()
    /// Expanded bytes that are not yet a whole record.
    private var rest: [UInt8] = []

    /// More than any record has.
    private static let longest = 1 << 24

    public init() {}

    /// The records that are whole with the next piece.
    public mutating func read(_ piece: [UInt8]) throws(MalformedTake) -> [TakeContentRecord] {
        rest += try stream.expand(piece)
        var records: [TakeContentRecord] = []
        var place = 0
        while let (kind, content, end) = try nextRecord(from: place) {
            records.append(try record(kind, content))
            place = end
        }
        rest.removeFirst(place)
        return records
    }

    /// The kind and the bytes of the record at a place, and where it ends; nil if it is not whole.
    private func nextRecord(from place: Int) throws(MalformedTake) -> (UInt8, ArraySlice<UInt8>, Int)? {
        var reader = PackedReader(rest[place...])
        guard let kind = reader.byte() else { return nil }
        guard let length = reader.count() else {
            guard rest.count - place <= 10 else { throw MalformedTake() }
            return nil
        }
        guard length <= Self.longest else { throw MalformedTake() }
        return reader.bytes(length).map { (kind, $0, reader.place) }
    }

    private mutating func record(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) throws(MalformedTake) -> TakeContentRecord {
        var reader = CompactReader(bytes)
        switch kind {
        case TakeContent.beginning: return .beginning(try reader.beginning())
        case TakeContent.log: return .log(Array(bytes))
        case TakeContent.score:
            let number = UInt(try reader.number())
            return .score(number, try scores.decode(Array(reader.remaining)))
        case TakeContent.timeline: return .timeline(UInt(try reader.number()), try reader.timeline())
        case TakeContent.kit: return .kit(Int(try reader.signed()), try reader.kit())
        default: throw MalformedTake()
        }
    }
}

extension CompactReader {
    fileprivate mutating func beginning() throws(MalformedTake) -> TakeBeginning {
        let sampleRate = try exact()
        let frame = try signed()
        let (score, timeline) = (UInt(try number()), UInt(try number()))
        let kit = Int(try signed())
        let version = try integer(in: 0..<1 << 32)
        let count = try integer(in: 0..<1 << 24)
        let checksum = try number()
        let memory = Array(try bytes(count))
        guard checksum == UInt64(Takes.checksum(of: memory)) else { throw MalformedTake() }
        return TakeBeginning(
            sampleRate: sampleRate, frame: frame, numbers: TakeNumbers(score: score, timeline: timeline, kit: kit),
            memory: memory, memoryVersion: version)
    }

    /// In µs.
    private static let times: ClosedRange<Int64> = -(1 << 56)...1 << 56

    fileprivate mutating func timeline() throws(MalformedTake) -> TimelineNews {
        var news = TimelineNews()
        news.holder = Int(try signed())
        news.orderCount = Int(try signed())
        news.tempoRevision = Int(try signed())
        let parts = try byte()
        guard parts & 1 != 0 else { return news }
        var timeline = Timeline(
            beat: try exact(in: -1e12...1e12), usecs: try signed(in: Self.times), bpm: try exact(in: 10...1000))
        timeline.isPlaying = parts & 4 != 0 ? true : parts & 2 != 0 ? false : nil
        if parts & 8 != 0 { timeline.playingUsecs = try signed(in: Self.times) }
        if parts & 16 != 0 { timeline.quantum = try exact(in: 1...64) }
        if parts & 32 != 0 { timeline.peers = Int(try signed()) }
        news.timeline = timeline
        return news
    }

    fileprivate mutating func kit() throws(MalformedTake) -> KitFingerprint? {
        if isAtEnd { return nil }
        var kit = KitFingerprint(name: try text(), sampleRate: try integer(in: 0..<1 << 32), drums: [])
        for _ in 0..<(try integer(in: 0..<Drum.allCases.count + 1)) {
            kit.drums.append(
                KitFingerprint.DrumPrint(
                    drum: try integer(in: 0..<Drum.allCases.count), file: try number(), samples: try number(),
                    place: Float(try exact(in: -1...1))))
        }
        return kit
    }
}
