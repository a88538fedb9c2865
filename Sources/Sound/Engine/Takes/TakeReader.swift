import Instrument
import Music

/// Reads the entries of a log.
package struct TakeReader {
    private let bytes: [UInt8]
    /// Where the next entry begins.
    package private(set) var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all entries have been read.
    package var isAtEnd: Bool { place == bytes.count }

    /// The next entry; nil at the end, and if what follows is none.
    package mutating func next() -> TakeEntry? {
        var reader = PackedReader(bytes[place...])
        guard let entry = reader.entry() else { return nil }
        place = reader.place
        return entry
    }
}

extension PackedReader {
    private mutating func flag() -> Bool? { byte().map { $0 != 0 } }

    fileprivate mutating func entry() -> TakeEntry? {
        guard let code = byte() else { return nil }
        switch code {
        case 0..<TakeCode.longRun: return .cycles(Int(code) + 1)
        case TakeCode.longRun: return count().map { .cycles($0) }
        case TakeCode.nearUsecs..<TakeCode.nearUsecs + 64:
            return .change(.startUsecs(Int64(code - TakeCode.nearUsecs) - 32))
        case TakeCode.score: return number().map { .score(UInt($0)) }
        case TakeCode.timeline: return number().map { .timeline(UInt($0)) }
        case TakeCode.kit: return count().map { .kit($0) }
        case TakeCode.punchIn: return punchIn()
        case TakeCode.command: return command().map { .command($0) }
        case TakeCode.key: return key()
        case TakeCode.clockTick: return count().map { .midi(MidiEvent(frame: Int32(truncatingIfNeeded: $0), 0xf8)) }
        case TakeCode.midi...TakeCode.midi + 2: return midi(byteCount: code - TakeCode.midi + 1)
        case TakeCode.prepared: return .prepared
        case TakeCode.played: return .played
        case TakeCode.lost:
            guard let frames = count(), let before = signed() else { return nil }
            return .lost(frames: frames, before: before)
        case TakeCode.began: return beginning().map { .began($0) }
        case TakeCode.ended:
            guard let frames = count(), let hasPlay = flag(), let exact = signed() else { return nil }
            return .ended(
                TakeEnding(frameCount: frames, hasPlay: hasPlay, exactFrameCount: exact < 0 ? nil : Int(exact)))
        default: return change(code).map { .change($0) }
        }
    }

    private mutating func change(_ code: UInt8) -> TakeChange? {
        switch code {
        case TakeCode.frameCount:
            guard let count = count(), (1...RtCycle.longest).contains(count) else { return nil }
            return .frameCount(count)
        case TakeCode.startFrame: return signed().map { .startFrame($0) }
        case TakeCode.startUsecs: return signed().map { .startUsecs($0) }
        case TakeCode.connectionCount: return signed().map { .connectionCount($0) }
        case TakeCode.latencies:
            guard let playback = signed(), let midiOut = signed(), let clockOut = signed() else { return nil }
            return .latencies(playback, midiOut, clockOut)
        case TakeCode.countsGaps: return flag().map { .countsGaps($0) }
        case TakeCode.outside:
            guard let flags = byte(), let frame = signed() else { return nil }
            return .outside(isRolling: flags & 1 != 0, isOurs: flags & 2 != 0, frame: frame)
        case TakeCode.bar: return bar().map { .bar($0) }
        case TakeCode.noBar: return .bar(nil)
        case TakeCode.tick: return signed().map { .tick($0) }
        case TakeCode.tickBits: return signed().map { .tickBits($0) }
        case TakeCode.bars:
            guard let count = count(), let newest = signed(), let earlier = signed() else { return nil }
            return .bars(count: count, newest: newest, earlier: earlier)
        default: return nil
        }
    }

    private mutating func bar() -> BarPosition? {
        guard let bar = signed(), let beat = signed(), let isExact = flag(), let offset = signed(),
            let tick = double(), let barStart = double(), let beats = double(), let type = double(),
            let ticks = double(), let bpm = double()
        else { return nil }
        return BarPosition(
            bar: Int32(truncatingIfNeeded: bar), beat: Int32(truncatingIfNeeded: beat), tick: tick, isExact: isExact,
            barStartTick: barStart, frameOffset: offset, beatsPerBar: beats, beatType: type, ticksPerBeat: ticks,
            bpm: bpm)
    }

    private mutating func punchIn() -> TakeEntry? {
        guard let place = byte(), let effect = PunchEffect(rawValue: Int(place)), let number = number(),
            let flags = byte(), let amount = double()
        else { return nil }
        var punchIn = PunchIn()
        punchIn.number = UInt32(truncatingIfNeeded: number)
        punchIn.isHeld = flags & 0x80 != 0
        punchIn.amount = amount
        for track in 0..<trackCount { punchIn.tracks[track] = flags >> UInt8(track) & 1 != 0 }
        return .punchIn(effect, punchIn)
    }

    private mutating func command() -> RtCommand? {
        switch byte() {
        case 0: return .play
        case 1: return .pause
        case 2: return .stop
        case 3: return .finish
        case 4: return signed().map { .locate(step: Int32(truncatingIfNeeded: $0)) }
        case 5:
            guard let track = count(), let notes = number(), let velocity = byte() else { return nil }
            return .audition(
                track: Int32(truncatingIfNeeded: track), notes: UInt16(truncatingIfNeeded: notes), velocity: velocity)
        case 6: return .suspend
        case 7:
            guard let state = byte(), let number = signed(), let origin = signed(), number.magnitude < 1 << 40,
                origin.magnitude < 1 << 40
            else { return nil }
            var step = SongStep(0, in: Loop(length: 1))
            (step.number, step.origin) = (number, origin)
            return .restore(state == 0 ? .stopped : state == 1 ? .playing : .paused, step)
        case 8: return flag().map { .record($0) }
        case 9: return .releaseKeys
        case 10: return .silence
        default: return nil
        }
    }

    private mutating func key() -> TakeEntry? {
        guard let owner = signed(), let track = byte(), let key = byte(), let velocity = byte() else { return nil }
        return .key(
            RtKey(owner: Int32(truncatingIfNeeded: owner), track: track, key: key, velocity: velocity))
    }

    private mutating func midi(byteCount: UInt8) -> TakeEntry? {
        guard let frame = count(), let status = byte(), let first = byteCount > 1 ? byte() : 0,
            let second = byteCount > 2 ? byte() : 0
        else { return nil }
        return .midi(MidiEvent(frame: Int32(truncatingIfNeeded: frame), count: byteCount, status, first, second))
    }

    private mutating func beginning() -> TakeBeginning? {
        guard let sampleRate = double(), let frame = signed(), let score = number(), let timeline = number(),
            let kit = count(), let memory = bytes(ControlMemory.size)
        else { return nil }
        return TakeBeginning(
            sampleRate: sampleRate, frame: frame,
            numbers: TakeNumbers(score: UInt(score), timeline: UInt(timeline), kit: kit),
            memory: Array(memory))
    }
}
