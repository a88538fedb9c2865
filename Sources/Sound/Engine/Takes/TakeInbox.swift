/// Cuts the bytes of takes into records, on the thread that keeps takes.
struct TakeInbox: Sendable {
    /// Bytes that are not yet in a record. They end with a whole entry.
    var bytes: [UInt8] = []
    private var length = TakeLength()

    /// The oldest record; nil if there is none.
    mutating func next() -> TakeRecord? {
        var chunk = TakeChunk()
        var reader = TakeReader(bytes)
        var end = 0
        while let entry = reader.next() {
            switch entry {
            case .began(let beginning):
                if end > 0 { break }
                length = TakeLength(beginning)
                return remove(reader.place, as: .began(beginning))
            case .ended(let ending):
                if end > 0 { break }
                return remove(reader.place, as: .ended(ending))
            default:
                guard reader.place <= TakeChunk.longest else { break }
                length.read(entry)
                if let reference = entry.reference { chunk.references.append(reference) }
                end = reader.place
                continue
            }
            break
        }
        guard end > 0 else { return nil }
        chunk.bytes = Array(bytes[..<end])
        chunk.frameCount = length.frameCount
        (chunk.hasPlay, chunk.exactFrameCount) = (length.hasPlay, length.exactFrameCount)
        return remove(end, as: .log(chunk))
    }

    private mutating func remove(_ count: Int, as record: TakeRecord) -> TakeRecord {
        bytes.removeFirst(count)
        return record
    }
}

extension TakeEntry {
    fileprivate var reference: TakeReference? {
        switch self {
        case .score(let number): .score(number)
        case .timeline(let number): .timeline(number)
        case .kit(let number): .kit(number)
        default: nil
        }
    }
}

/// Measures a log: how many frames its render has, and what is known of them.
package struct TakeLength: Sendable {
    /// Frames that JACK lost are silence, at most a second at a time.
    package private(set) var frameCount = 0
    /// Whether the music ran.
    private(set) var hasPlay = false
    /// The frame from which on something is missing; nil if nothing is.
    private(set) var exactFrameCount: Int?
    private var last = TakeCycle(before: 0)
    private var next = TakeCycle(before: 0)
    private var sampleRate = 48_000.0

    init() {}

    package init(_ beginning: TakeBeginning) {
        sampleRate = beginning.sampleRate
        (last, next) = (TakeCycle(before: beginning.frame), TakeCycle(before: beginning.frame))
        next = last.next(sampleRate: sampleRate)
        next.isFirst = true
    }

    package mutating func read(_ entry: TakeEntry) {
        switch entry {
        case .change(let change): next.apply(change)
        case .cycles(let count):
            frameCount += min(next.missedFrames(after: last), Int(sampleRate)) + count * next.frameCount
            for _ in 0..<count {
                last = next
                next = last.next(sampleRate: sampleRate)
            }
        case .prepared: next.isFirst = true
        case .played: hasPlay = true
        case .lost(let frames, let before):
            exactFrameCount = exactFrameCount ?? frameCount
            frameCount += frames
            last = TakeCycle(before: before)
            next = last.next(sampleRate: sampleRate)
            next.isFirst = true
        case .score, .timeline, .kit, .punchIn, .command, .key, .midi, .began, .ended: break
        }
    }
}
