import FoundationEssentials

/// Moments as ISO 8601 texts in the profile of RFC 3339.
public enum Timestamp {
    private static let style = Date.ISO8601FormatStyle()

    /// The text of a moment in UTC, to the second: `2026-01-02T12:34:56Z`.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01 UTC.
    /// - Returns: Nil outside the years 0 to 9999, which have no text.
    public static func text(seconds: Int) -> String? {
        guard (-62_167_392_000..<253_402_300_800).contains(seconds) else { return nil }
        return style.format(Date(timeIntervalSince1970: Double(seconds)))
    }

    /// The moment of a text, nil when it is not such a text. Fractions of a second are dropped, offsets are applied.
    ///
    /// - Returns: Seconds since 1970-01-01 UTC.
    public static func seconds(text: String) -> Int? {
        let text = text.uppercased()
        // The style reads times that do not exist as later ones.
        let clock = text.prefix(19) + "Z"
        guard let local = moment(clock), style.format(local) == clock, let moment = moment(text[...]) else {
            return nil
        }
        // The difference is the offset, which has whole minutes, and the fraction.
        let offset = 60 * (moment.timeIntervalSince(local) / 60).rounded(.down)
        return Int(local.timeIntervalSince1970 + offset)
    }

    /// The moment of a text; nil if there is more in it.
    private static func moment(_ text: Substring) -> Date? {
        let whole = String(text)
        let range = whole.startIndex..<whole.endIndex
        guard let (end, date) = try? style.consuming(whole, startingAt: whole.startIndex, in: range) else { return nil }
        return end == whole.endIndex ? date : nil
    }
}
