import Music

/// A key that a program presses or releases.
public struct RtKey: Sendable, BitwiseCopyable {
    /// Who holds it, 1 or more: nobody else releases it.
    public var owner: Int32
    /// In the order of `Music.Track`.
    public var track: UInt8
    /// 0 to 127.
    public var key: UInt8
    /// 1 to 127; 0 releases the key.
    public var velocity: UInt8

    @_noLocks @_noAllocation
    public init(owner: Int32, track: UInt8, key: UInt8, velocity: UInt8) {
        self.owner = owner
        self.track = track
        self.key = key
        self.velocity = velocity
    }
}

/// A program's key, and when it was sent in µs.
struct SentKey: BitwiseCopyable {
    var key: RtKey
    var usecs: UInt64

    /// An empty place of a queue.
    init() { self.init(RtKey(owner: 1, track: 0, key: 0, velocity: 0), usecs: 0) }

    init(_ key: RtKey, usecs: UInt64) {
        self.key = key
        self.usecs = usecs
    }

    /// Whether it is a press that waited too long to be heard. Releases are never too late.
    func isTooLate(in cycle: RtCycle) -> Bool { key.velocity > 0 && cycle.isLate(for: usecs) }
}

/// The key that holds a note: one of a channel of the MIDI input, or one of a program.
struct KeySource: BitwiseCopyable, Equatable {
    private let number: Int64

    private init(number: Int64) { self.number = number }

    /// No key.
    static var none: KeySource { KeySource(number: -1) }

    /// A key of the MIDI input.
    init(_ place: KeyLedger.LedgerPlace) { number = Int64(truncatingIfNeeded: place.index) }

    /// A program's key. Owners are numbered from 1, so that it is none of the MIDI input's.
    init(_ key: RtKey) { number = Int64(key.owner) << 16 | Int64(key.track) << 8 | Int64(key.key & 0x7f) }
}
