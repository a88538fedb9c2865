/// One note of a step: its velocity, and the values that decide how it is played. Only this type knows how they are
/// packed.
public struct Note: Hashable, Sendable, BitwiseCopyable {
    /// The raw value of the ``Velocity`` in bits 0 and 1, then each value as its row says; all 0 when off.
    private var bits: UInt32

    /// A note whose values are the defaults.
    public init(_ velocity: Velocity = .off) { bits = UInt32(velocity.rawValue) }

    /// A note with some values other than the defaults.
    public init(_ velocity: Velocity, _ values: [NoteValue: Int]) {
        self.init(velocity)
        for (value, number) in values { self[value] = number }
    }

    public var velocity: Velocity {
        get { Velocity(rawValue: UInt8(bits & 3))! }
        set { bits = newValue.isHead ? bits & ~3 | UInt32(newValue.rawValue) : UInt32(newValue.rawValue) }
    }

    /// A value as a number, set to the nearest possible; only heads can differ from the defaults.
    public subscript(value: NoteValue) -> Int {
        @_noLocks @_noAllocation get { value.field.number(in: bits) }
        set { if isHead { value.field.write(newValue, into: &bits) } }
    }

    /// How many times it starts in a step of this length: its ratchet, or fewer, so that each start has at least 5 ms.
    @_noLocks @_noAllocation
    public func startCount(stepSeconds: Double) -> Int {
        // The tolerance lets parts of exactly 5 ms fit in every pass, however the places of steps are rounded.
        func fits(_ count: Int) -> Bool { stepSeconds >= 0.005 * Double(count) - 1e-9 }
        let wanted = self[.ratchet]
        if fits(wanted) { return wanted }
        return fits(6) ? 6 : fits(4) ? 4 : fits(3) ? 3 : fits(2) ? 2 : 1
    }

    /// Whether any value is not the default.
    public var hasValues: Bool { @_noLocks @_noAllocation get { bits > 3 } }

    // MARK: On the audio thread

    /// Whether a note starts here.
    public var isHead: Bool { @_noLocks @_noAllocation get { bits & 3 == 1 || bits & 3 == 2 } }

    /// Whether a note starts here, accented.
    public var isAccent: Bool { @_noLocks @_noAllocation get { bits & 3 == 2 } }

    /// Whether it prolongs the note of the step before.
    public var isSustain: Bool { @_noLocks @_noAllocation get { bits & 3 == 3 } }
}

/// Where a note keeps a value: as its distance from the default, so that a note with defaults has only the bits of its
/// velocity.
struct NoteField: BitwiseCopyable {
    let lowest: Int
    let highest: Int
    let usual: Int
    /// The first bit, and the one after the last.
    let (start, end): (UInt32, UInt32)

    /// A field within bits 2 to 31, wide enough for the range.
    @_noLocks @_noAllocation
    init(_ lowest: Int, _ highest: Int, usual: Int, bits start: UInt32, _ end: UInt32) {
        (self.lowest, self.highest, self.usual) = (lowest, highest, usual)
        (self.start, self.end) = (start, end)
    }

    private var mask: UInt32 { @_noLocks @_noAllocation get { 1 &<< (end &- start) &- 1 } }

    @_noLocks @_noAllocation
    func number(in bits: UInt32) -> Int {
        let number = usual &+ Int(bits &>> start & mask)
        return number > highest ? number &- Int(mask) &- 1 : number
    }

    func write(_ number: Int, into bits: inout UInt32) {
        let distance = UInt32(truncatingIfNeeded: min(max(number, lowest), highest) - usual) & mask
        bits = bits & ~(mask << start) | distance << start
    }
}

/// The velocity of a cell; two bits.
public enum Velocity: UInt8, Named {
    case off
    case normal
    case accent
    /// Prolongs the same note of the step before.
    case sustain

    /// Whether a note starts here.
    public var isHead: Bool { self == .normal || self == .accent }

    /// The name in files and on the control socket.
    public var name: String {
        switch self {
        case .off: "off"
        case .normal: "normal"
        case .accent: "accent"
        case .sustain: "sustain"
        }
    }

    /// Rank when several notes share a cell of the grid: accent over normal over sustain over off.
    public var prominence: Int {
        switch self {
        case .off: 0
        case .sustain: 1
        case .normal: 2
        case .accent: 3
        }
    }
}
