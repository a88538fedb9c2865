/// A value in a message: the types of OSC 1.0 that controllers send.
public enum OSCArgument: Hashable, Sendable {
    /// `i`
    case integer(Int32)
    /// `f`
    case float(Float)
    /// `s`
    case string(String)
    /// `h`
    case long(Int64)
    /// `d`
    case double(Double)
    /// `T` or `F`
    case boolean(Bool)

    /// Its type tag.
    public var type: Character {
        switch self {
        case .integer: "i"
        case .float: "f"
        case .string: "s"
        case .long: "h"
        case .double: "d"
        case .boolean(let value): value ? "T" : "F"
        }
    }

    /// A whole number, nil for anything else.
    public var int: Int? {
        switch self {
        case .integer(let value): Int(value)
        case .long(let value): Int(value)
        default: nil
        }
    }

    /// A text, nil for anything else.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// A message: an address and values.
public struct OSCMessage: Hashable, Sendable {
    /// Begins with a slash.
    public var address: String
    public var arguments: [OSCArgument]

    public init(_ address: String, _ arguments: OSCArgument...) {
        self.init(address, arguments)
    }

    public init(_ address: String, _ arguments: [OSCArgument]) {
        self.address = address
        self.arguments = arguments
    }
}

/// When a bundle takes effect: seconds since 1900 in the upper half, the fraction of a second in the lower one.
public struct OSCTimeTag: Hashable, Sendable {
    public var bits: UInt64

    public init(bits: UInt64) { self.bits = bits }

    public static let immediately = OSCTimeTag(bits: 1)

    /// Seconds from the beginning of 1900 to that of 1970.
    private static let epoch: UInt64 = 2_208_988_800

    /// - Parameter time: Since the beginning of 1970.
    public init(sinceEpoch time: Duration) {
        let (seconds, attoseconds) = time.components
        bits =
            (UInt64(clamping: seconds) &+ Self.epoch) << 32 | UInt64(attoseconds / 1_000_000_000) << 32 / 1_000_000_000
    }

    /// How long after `time` it is; zero or negative if it is past.
    ///
    /// - Parameter time: Since the beginning of 1970.
    public func delay(after time: Duration) -> Duration {
        guard self != .immediately else { return .zero }
        let seconds = Int64(bits >> 32) - Int64(Self.epoch)
        let nanoseconds = Int64(((bits & 0xffff_ffff) * 1_000_000_000) >> 32)
        return .seconds(seconds) + .nanoseconds(nanoseconds) - time
    }
}

/// The content of a datagram.
public enum OSCPacket: Hashable, Sendable {
    case message(OSCMessage)
    /// Packets that take effect together.
    indirect case bundle(OSCTimeTag, [OSCPacket])
}
