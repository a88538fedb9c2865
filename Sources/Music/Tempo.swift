/// A tempo in beats (quarter notes, four steps) per minute, 20 to 300, kept to two decimals so that it is exact in files.
public struct Tempo: Hashable, Comparable, Sendable {
    /// Hundredths of a beat per minute, 2000 to 30000.
    public let hundredths: Int

    /// The tempi that the clock plays, in beats per minute.
    public static let range = 20.0...300.0

    /// A tempo rounded to two decimals, nil outside ``range`` or when not a number.
    public init?(bpm: Double) {
        guard Tempo.range.contains(bpm) else { return nil }
        hundredths = Int((bpm * 100).rounded())
    }

    /// A tempo that is in the range.
    init(_ bpm: Double) {
        hundredths = Int((bpm * 100).rounded())
    }

    /// A tempo in whole beats per minute, clamped into ``range``.
    public init(clamping bpm: Int) {
        hundredths = min(max(bpm, 20), 300) * 100
    }

    /// Beats per minute.
    public var bpm: Double { Double(hundredths) / 100 }

    /// The slower tempo is the lesser.
    public static func < (left: Tempo, right: Tempo) -> Bool { left.hundredths < right.hundredths }
}
