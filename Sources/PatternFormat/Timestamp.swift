import Glibc

/// Moments as ISO 8601 texts in the profile of RFC 3339, in the proleptic Gregorian calendar.
public enum Timestamp {
    /// The text of a moment in UTC, to the second: `2026-01-02T12:34:56Z`.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01 UTC.
    /// - Returns: Nil outside the years 0 to 9999, which have no text.
    public static func text(seconds: Int) -> String? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        let time = calendar(seconds)
        let date = [padded(time.tm_year + 1900, 4), padded(time.tm_mon + 1, 2), padded(time.tm_mday, 2)]
        let clock = [time.tm_hour, time.tm_min, time.tm_sec].map { padded($0, 2) }
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":"))Z"
    }

    /// The moment of a text, nil when it is not such a text. Fractions of a second are dropped, offsets are applied,
    /// and a leap second counts as the second after it.
    ///
    /// - Returns: Seconds since 1970-01-01 UTC.
    public static func seconds(text: String) -> Int? {
        var reader = DigitReader(rest: text.utf8[...])
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
            let midnight = midnight(year, month, day),
            let hour = reader.number(digits: 2, below: 24), reader.skip(":"),
            let minute = reader.number(digits: 2, below: 60), reader.skip(":"),
            let second = reader.number(digits: 2, below: 61),
            reader.skipFraction(),
            let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        return midnight + hour * 3600 + minute * 60 + second - offset
    }

    private static func calendar(_ seconds: Int) -> tm {
        var (seconds, time) = (seconds, tm())
        _ = unsafe gmtime_r(&seconds, &time)
        return time
    }

    /// The moment at which a day begins; nil for a date that does not exist, which the system would turn into a later
    /// one.
    private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        let seconds = unsafe timegm(&time)
        let found = calendar(seconds)
        return found.tm_mon == Int32(month - 1) && found.tm_mday == Int32(day) ? seconds : nil
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}

/// Reads the digits of a date from left to right.
private struct DigitReader {
    var rest: Substring.UTF8View

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int, below limit: Int = .max) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = skipDigit() else { return nil }
            number = number * 10 + digit
        }
        return number < limit ? number : nil
    }

    /// Skips a fraction if there is one; false when it has no digits.
    mutating func skipFraction() -> Bool {
        guard skip(".") else { return true }
        guard skipDigit() != nil else { return false }
        while skipDigit() != nil {}
        return true
    }

    /// Seconds that the text's clock is ahead of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("-") ? -1 : 1
        guard sign == -1 || skip("+"), let hour = number(digits: 2, below: 24), skip(":"),
            let minute = number(digits: 2, below: 60)
        else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }

    private mutating func skipDigit() -> Int? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}
