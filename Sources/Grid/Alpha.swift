/// How much of a colour covers what is under it, as an exact fraction.
///
/// A fraction and not a `Double`, so that a blend that falls exactly between two 8-bit values always rounds up: 0.15 and
/// 0.85 have no exact `Double`.
public struct Alpha: Hashable, Sendable {
    /// The covering part, 0 to ``whole``.
    public let part: UInt32
    /// What the part is of, at least 1.
    public let whole: UInt32

    /// The fraction part/whole.
    ///
    /// - Parameters:
    ///   - part: 0 to `whole`.
    ///   - whole: 1 to 1 000 000.
    public init(_ part: Int, of whole: Int) {
        precondition((1...1_000_000).contains(whole) && (0...whole).contains(part), "no alpha: \(part)/\(whole)")
        self.part = UInt32(part)
        self.whole = UInt32(whole)
    }

    /// So many hundredths, 0 to 100.
    public static func percent(_ hundredths: Int) -> Alpha { Alpha(hundredths, of: 100) }
}
