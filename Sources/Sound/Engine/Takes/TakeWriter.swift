import Instrument
import Music

/// Writes the entries of a log into a ring; see ``TakeEntry``. Whoever writes sees to it that there is room.
struct TakeWriter: BitwiseCopyable {
    /// Where the next entry goes.
    var place: UInt

    /// Bytes that a cycle needs at most, with the end of the run before it.
    static func most(_ intake: Intake) -> Int {
        unsafe 512 + 32 * intake.commands.count + 16 * intake.keys.count + 16 * intake.midi.count
    }

    // MARK: Numbers

    mutating func write(_ byte: UInt8, _ ring: borrowing TakeRing) {
        ring.write(byte, at: place)
        place &+= 1
    }

    mutating func write(number: UInt64, _ ring: borrowing TakeRing) {
        var rest = number
        while rest >= 0x80 {
            write(UInt8(truncatingIfNeeded: rest) | 0x80, ring)
            rest >>= 7
        }
        write(UInt8(truncatingIfNeeded: rest), ring)
    }

    mutating func write(signed number: Int64, _ ring: borrowing TakeRing) {
        write(number: UInt64(bitPattern: number << 1 ^ number >> 63), ring)
    }

    mutating func write(double number: Double, _ ring: borrowing TakeRing) {
        for shift in 0..<8 as Range<UInt64> {
            write(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * shift)), ring)
        }
    }

    /// An entry with a number.
    mutating func write(_ code: UInt8, _ number: UInt64, _ ring: borrowing TakeRing) {
        write(code, ring)
        write(number: number, ring)
    }

    /// An entry with a signed number, unless it is 0.
    private mutating func write(_ code: UInt8, difference: Int64, _ ring: borrowing TakeRing) {
        guard difference != 0 else { return }
        write(code, ring)
        write(signed: difference, ring)
    }

    // MARK: Cycles

    mutating func write(cycles count: Int, _ ring: borrowing TakeRing) {
        if count <= Int(TakeCode.longRun) { return write(UInt8(truncatingIfNeeded: count - 1), ring) }
        write(TakeCode.longRun, UInt64(count), ring)
    }

    /// How a cycle differs from the predicted one.
    mutating func write(_ cycle: TakeCycle, _ predicted: TakeCycle, _ ring: borrowing TakeRing) {
        if cycle.frameCount != predicted.frameCount { write(TakeCode.frameCount, UInt64(cycle.frameCount), ring) }
        write(TakeCode.startFrame, difference: cycle.startFrame &- predicted.startFrame, ring)
        write(usecs: cycle.startUsecs &- predicted.startUsecs, ring)
        write(
            TakeCode.connectionCount,
            difference: Int64(cycle.connectionCount) - Int64(predicted.connectionCount), ring)
        writeLatencies(cycle, predicted, ring)
        if cycle.countsGaps != predicted.countsGaps {
            write(TakeCode.countsGaps, ring)
            write(cycle.countsGaps ? 1 : 0, ring)
        }
        write(cycle.outside, predicted.outside, ring)
        guard !cycle.bars.isSame(as: predicted.bars) else { return }
        write(TakeCode.bars, UInt64(cycle.bars.count), ring)
        write(signed: cycle.bars.newest, ring)
        write(signed: cycle.bars.earlier, ring)
    }

    private mutating func write(usecs difference: Int64, _ ring: borrowing TakeRing) {
        guard difference >= -32, difference < 32, difference != 0 else {
            return write(TakeCode.startUsecs, difference: difference, ring)
        }
        write(TakeCode.nearUsecs + UInt8(truncatingIfNeeded: difference + 32), ring)
    }

    private mutating func writeLatencies(_ cycle: TakeCycle, _ predicted: TakeCycle, _ ring: borrowing TakeRing) {
        let differences = SIMD4(
            cycle.playbackLatency &- predicted.playbackLatency, cycle.midiOutLatency &- predicted.midiOutLatency,
            cycle.clockOutLatency &- predicted.clockOutLatency, 0)
        guard differences != .zero else { return }
        write(TakeCode.latencies, ring)
        for index in 0..<3 { write(signed: Int64(differences[index]), ring) }
    }

    private mutating func write(_ outside: OutsidePosition, _ predicted: OutsidePosition, _ ring: borrowing TakeRing) {
        if outside.isRolling != predicted.isRolling || outside.isOurs != predicted.isOurs
            || outside.frame != predicted.frame
        {
            write(TakeCode.outside, ring)
            write((outside.isRolling ? 1 : 0) | (outside.isOurs ? 2 : 0), ring)
            write(signed: outside.frame &- predicted.frame, ring)
        }
        guard let bar = outside.bar else {
            if case .some = predicted.bar { write(TakeCode.noBar, ring) }
            return
        }
        guard let other = predicted.bar, bar.isSame(exceptTick: other) else { return write(bar, ring) }
        guard bar.tick.bitPattern != other.tick.bitPattern else { return }
        let ticks = bar.tick - other.tick
        // Comparisons with NaN are false.
        let isNear = ticks > -1e6 && ticks < 1e6
        if isNear, ticks != 0, ticks == Double(Int64(ticks)), other.tick + ticks == bar.tick {
            write(TakeCode.tick, difference: Int64(ticks), ring)
        } else {
            let difference = Int64(bitPattern: bar.tick.bitPattern &- other.tick.bitPattern)
            write(TakeCode.tickBits, difference: difference, ring)
        }
    }

    private mutating func write(_ bar: BarPosition, _ ring: borrowing TakeRing) {
        write(TakeCode.bar, ring)
        write(signed: Int64(bar.bar), ring)
        write(signed: Int64(bar.beat), ring)
        write(bar.isExact ? 1 : 0, ring)
        write(signed: bar.frameOffset, ring)
        write(double: bar.tick, ring)
        write(double: bar.barStartTick, ring)
        write(double: bar.beatsPerBar, ring)
        write(double: bar.beatType, ring)
        write(double: bar.ticksPerBeat, ring)
        write(double: bar.bpm, ring)
    }

    // MARK: What came in

    /// Numbers that differ from the last ones.
    mutating func write(_ numbers: TakeNumbers, after last: TakeNumbers, _ ring: borrowing TakeRing) {
        if numbers.score != last.score { write(TakeCode.score, UInt64(numbers.score), ring) }
        if numbers.timeline != last.timeline { write(TakeCode.timeline, UInt64(numbers.timeline), ring) }
        if numbers.kit != last.kit { write(TakeCode.kit, UInt64(truncatingIfNeeded: numbers.kit), ring) }
    }

    /// The effects that are held otherwise than before.
    mutating func write(_ punchIns: PunchIns, after last: PunchIns, _ ring: borrowing TakeRing) {
        write(punchIns[.stutter], of: .stutter, after: last[.stutter], ring)
        write(punchIns[.filter], of: .filter, after: last[.filter], ring)
        write(punchIns[.brake], of: .brake, after: last[.brake], ring)
        write(punchIns[.throw], of: .throw, after: last[.throw], ring)
    }

    private mutating func write(
        _ punchIn: PunchIn, of effect: PunchEffect, after last: PunchIn, _ ring: borrowing TakeRing
    ) {
        if punchIn.isSame(as: last) { return }
        write(TakeCode.punchIn, ring)
        write(UInt8(truncatingIfNeeded: effect.index), ring)
        write(number: UInt64(punchIn.number), ring)
        var flags: UInt8 = punchIn.isHeld ? 0x80 : 0
        for track in 0..<trackCount where punchIn.tracks[track] { flags |= 1 << UInt8(truncatingIfNeeded: track) }
        write(flags, ring)
        write(double: punchIn.amount, ring)
    }

    /// The commands that are obeyed, the keys of programs and the messages of `midi_in`.
    mutating func writeEvents(of intake: Intake, _ ring: borrowing TakeRing) {
        for index in 0..<intake.commands.count { write(intake.commands[index].command, ring) }
        for index in 0..<intake.keys.count { write(intake.keys[index].key, ring) }
        for index in unsafe 0..<intake.midi.count { write(unsafe intake.midi.event(index), ring) }
    }

    private mutating func write(_ command: RtCommand, _ ring: borrowing TakeRing) {
        write(TakeCode.command, ring)
        switch command {
        case .play: write(0, ring)
        case .pause: write(1, ring)
        case .stop: write(2, ring)
        case .finish: write(3, ring)
        case .locate(let step):
            write(4, ring)
            write(signed: Int64(step), ring)
        case .audition(let track, let notes, let velocity):
            write(5, ring)
            write(number: UInt64(UInt32(bitPattern: track)), ring)
            write(number: UInt64(notes), ring)
            write(velocity, ring)
        case .suspend: write(6, ring)
        case .restore(let state, let step):
            write(7, ring)
            switch state {
            case .stopped: write(0, ring)
            case .playing: write(1, ring)
            case .paused: write(2, ring)
            }
            write(signed: step.number, ring)
            write(signed: step.origin, ring)
        case .record(let isOn):
            write(8, ring)
            write(isOn ? 1 : 0, ring)
        case .releaseKeys: write(9, ring)
        case .silence: write(10, ring)
        }
    }

    private mutating func write(_ key: RtKey, _ ring: borrowing TakeRing) {
        write(TakeCode.key, ring)
        write(signed: Int64(key.owner), ring)
        write(key.track, ring)
        write(key.key, ring)
        write(key.velocity, ring)
    }

    private mutating func write(_ event: MidiEvent, _ ring: borrowing TakeRing) {
        if event.status == 0xf8, event.count == 1 {
            return write(TakeCode.clockTick, UInt64(UInt32(bitPattern: event.frame)), ring)
        }
        let count = max(1, min(3, event.count))
        write(TakeCode.midi + count - 1, UInt64(UInt32(bitPattern: event.frame)), ring)
        write(event.status, ring)
        if count > 1 { write(event.first, ring) }
        if count > 2 { write(event.second, ring) }
    }

    // MARK: Takes

    mutating func writeBeginning(
        of memory: UnsafePointer<ControlMemory>, _ numbers: TakeNumbers, at frame: Int64, sampleRate: Double,
        _ ring: borrowing TakeRing
    ) {
        write(TakeCode.began, ring)
        write(double: sampleRate, ring)
        write(signed: frame, ring)
        write(number: UInt64(numbers.score), ring)
        write(number: UInt64(numbers.timeline), ring)
        write(number: UInt64(truncatingIfNeeded: numbers.kit), ring)
        unsafe ring.write(UnsafeRawPointer(memory), count: MemoryLayout<ControlMemory>.size, at: place)
        place &+= UInt(MemoryLayout<ControlMemory>.size)
    }

    mutating func write(_ ending: TakeEnding, _ ring: borrowing TakeRing) {
        write(TakeCode.ended, UInt64(ending.frameCount), ring)
        write(ending.hasPlay ? 1 : 0, ring)
        write(signed: Int64(ending.exactFrameCount ?? -1), ring)
    }
}

extension PunchIn {
    fileprivate func isSame(as other: PunchIn) -> Bool {
        guard number == other.number, isHeld == other.isHeld, amount.bitPattern == other.amount.bitPattern else {
            return false
        }
        for track in 0..<trackCount where tracks[track] != other.tracks[track] { return false }
        return true
    }
}
