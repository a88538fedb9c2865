import Instrument
import Music

/// An entry of a take's log: what differs from the prediction in the next cycle, or how many cycles follow.
///
/// Each begins with a byte that says what it is; numbers are little-endian groups of seven bits, signed ones with the sign in
/// the lowest bit. 0x00 to 0x3f are 1 to 64 cycles, 0x80 to 0xbf a start in µs that is off by -32 to 31.
package enum TakeEntry: Sendable {
    /// A number of cycles: the first with the changes before this entry, the others as predicted.
    case cycles(Int)
    /// What differs from the predicted cycle.
    case change(TakeChange)
    /// From the next cycle on another score, timeline or kit counts.
    case score(UInt)
    case timeline(UInt)
    case kit(Int)
    /// An effect is held otherwise.
    case punchIn(PunchEffect, PunchIn)
    case command(RtCommand)
    case key(RtKey)
    /// A message of the port `midi_in`.
    case midi(MidiEvent)
    /// The engine was prepared again at the same rate.
    case prepared
    /// The music runs; once in a take.
    case played
    /// The log lacks a number of frames, and goes on with the cycle that starts at frame `before`.
    case lost(frames: Int, before: Int64)
    /// A take begins.
    case began(TakeBeginning)
    /// It ends.
    case ended(TakeEnding)
}

/// How a cycle differs from the predicted one. Numbers are differences.
package enum TakeChange: Sendable, BitwiseCopyable {
    case frameCount(Int)
    case startFrame(Int64)
    case startUsecs(Int64)
    case connectionCount(Int64)
    case latencies(Int64, Int64, Int64)
    case countsGaps(Bool)
    case outside(isRolling: Bool, isOurs: Bool, frame: Int64)
    case bar(BarPosition?)
    /// In ticks, or in steps of the number's representation.
    case tick(Int64)
    case tickBits(Int64)
    case bars(count: Int, newest: Int64, earlier: Int64)
}

extension TakeCycle {
    /// Makes a change to a predicted cycle.
    package mutating func apply(_ change: TakeChange) {
        switch change {
        case .frameCount(let count): frameCount = count
        case .startFrame(let difference): startFrame &+= difference
        case .startUsecs(let difference):
            startUsecs &+= difference
            stepUsecs &+= difference
        case .connectionCount(let difference):
            connectionCount = Int32(truncatingIfNeeded: Int64(connectionCount) &+ difference)
        case .latencies(let playback, let midiOut, let clockOut):
            playbackLatency &+= Int(playback)
            midiOutLatency &+= Int(midiOut)
            clockOutLatency &+= Int(clockOut)
        case .countsGaps(let counts): countsGaps = counts
        case .outside(let isRolling, let isOurs, let frame):
            (outside.isRolling, outside.isOurs) = (isRolling, isOurs)
            outside.frame &+= frame
        case .bar(let bar): outside.bar = bar
        case .tick(let ticks): outside.bar?.tick += Double(ticks)
        case .tickBits(let difference):
            guard let tick = outside.bar?.tick else { break }
            outside.bar?.tick = Double(bitPattern: tick.bitPattern &+ UInt64(bitPattern: difference))
        case .bars(let count, let newest, let earlier):
            bars = PublishedBars()
            if count > 1 { bars.add(earlier) }
            if count > 0 { bars.add(newest) }
        }
    }

    /// The frames for which bar and beat are to be published before the cycle, the oldest first.
    package var publishedFrames: [Int64] {
        bars.count == 0 ? [] : bars.count == 1 ? [bars.newest] : [bars.earlier, bars.newest]
    }
}

/// The first byte of an entry.
enum TakeCode {
    static var longRun: UInt8 { 0x40 }
    static var frameCount: UInt8 { 0x41 }
    static var startFrame: UInt8 { 0x42 }
    static var startUsecs: UInt8 { 0x43 }
    static var connectionCount: UInt8 { 0x44 }
    static var latencies: UInt8 { 0x45 }
    static var countsGaps: UInt8 { 0x46 }
    static var outside: UInt8 { 0x47 }
    static var bar: UInt8 { 0x48 }
    static var tick: UInt8 { 0x49 }
    static var tickBits: UInt8 { 0x4a }
    static var bars: UInt8 { 0x4b }
    static var noBar: UInt8 { 0x4c }
    static var score: UInt8 { 0x50 }
    static var timeline: UInt8 { 0x51 }
    static var kit: UInt8 { 0x52 }
    static var punchIn: UInt8 { 0x53 }
    static var command: UInt8 { 0x54 }
    static var key: UInt8 { 0x55 }
    static var clockTick: UInt8 { 0x56 }
    /// And the number of its bytes, 1 to 3.
    static var midi: UInt8 { 0x57 }
    static var prepared: UInt8 { 0x60 }
    static var lost: UInt8 { 0x61 }
    static var began: UInt8 { 0x62 }
    static var ended: UInt8 { 0x63 }
    static var played: UInt8 { 0x64 }
    /// The first of those that hold a start in µs.
    static var nearUsecs: UInt8 { 0x80 }
}
