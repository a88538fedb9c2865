import Music

/// An effect that lasts as long as a finger, a key or a call holds it.
///
/// The cases are in the order in which they act on a track, and of their zones on the grid's overview.
public enum PunchEffect: Int, Named, BitwiseCopyable {
    /// Repeats what was just heard.
    case stutter
    /// Takes away the treble or the bass.
    case filter
    /// Stops like a tape.
    case brake
    /// Sends everything to the reverb or to the delay.
    case `throw`

    public var name: String {
        switch self {
        case .stutter: "stutter"
        case .filter: "filter"
        case .brake: "brake"
        case .throw: "throw"
        }
    }

    /// Its place in the order, from 0.
    public var index: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .stutter: 0
            case .filter: 1
            case .brake: 2
            case .throw: 3
            }
        }
    }

    /// Whether it acts while nothing plays.
    public var actsWhileStopped: Bool {
        @_noLocks @_noAllocation get {
            switch self {
            case .filter, .throw: true
            case .stutter, .brake: false
            }
        }
    }
}

/// One effect as its holder holds it.
public struct PunchIn: Sendable, BitwiseCopyable {
    /// Counts the effect's holders: another number is another beginning; 0 before the first one.
    public var number: UInt32 = 0
    /// Whether the holder still holds it.
    public var isHeld = false
    /// 0 to 1; ``PunchAmount`` says what it means for each effect.
    public var amount = 0.5
    /// The tracks on which it acts.
    public var tracks = PerTrack(repeating: false)

    @_noLocks @_noAllocation
    public init() {}
}

/// All effects as they are held: newest values, published as a whole.
public struct PunchIns: Sendable, BitwiseCopyable {
    private var effects = InlineArray<4, PunchIn>(repeating: PunchIn())

    /// Nothing is held, and nothing ever was.
    @_noLocks @_noAllocation
    public init() {}

    public subscript(effect: PunchEffect) -> PunchIn {
        @_noLocks @_noAllocation get { effects[effect.index] }
        set { effects[effect.index] = newValue }
    }
}

/// What an amount from 0 to 1 means: the finger's place in the effect's eight columns, from left to right.
public enum PunchAmount {
    /// STUTTER: the length of what is repeated in sixteenths, one for each column.
    @_noLocks @_noAllocation
    public static func sixteenths(ofStutter amount: Double) -> Double {
        switch column(of: amount) {
        case 0: 4
        case 1: 3
        case 2: 2
        case 3: 1.5
        case 4: 1
        case 5: 2.0 / 3
        case 6: 0.5
        default: 0.25
        }
    }

    /// The column of an amount, 0 to 7.
    @_noLocks @_noAllocation
    public static func column(of amount: Double) -> Int { min(7, max(0, Int(amount * 8))) }
}
