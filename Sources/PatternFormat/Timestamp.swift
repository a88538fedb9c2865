/// Moments as ISO 8601 texts in the profile of RFC 3339, in the proleptic Gregorian calendar.
public enum Timestamp {
    private static let secondsPerDay = 86_400

    /// The text of a moment in UTC, to the second: `2026-01-02T12:34:56Z`.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01 UTC.
    /// - Returns: Nil outside the years 0 to 9999, which have no text.
    public static func text(seconds: Int) -> String? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        let time = (seconds % secondsPerDay + secondsPerDay) % secondsPerDay
        let date = CivilDate(daysSince1970: (seconds - time) / secondsPerDay)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(clock)Z"
    }

    /// The moment of a text, nil when it is none. A fraction of a second is dropped, an offset is counted in, and a
    /// leap second is the second after it.
    ///
    /// - Returns: Seconds since 1970-01-01 UTC.
    public static func seconds(text: String) -> Int? {
        var reader = DigitReader(rest: text.utf8[...])
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
            let date = CivilDate(year: year, month: month, day: day),
            let hour = reader.number(digits: 2, below: 24), reader.skip(":"),
            let minute = reader.number(digits: 2, below: 60), reader.skip(":"),
            let second = reader.number(digits: 2, below: 61),
            reader.skipFraction(),
            let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        return date.daysSince1970 * secondsPerDay + hour * 3600 + minute * 60 + second - offset
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}

/// Takes a date text apart from the front.
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

    /// Steps over a fraction if there is one; false when it has no digits.
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

/// A day of the proleptic Gregorian calendar.
///
/// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years are taken to start in March, so that the
/// leap day is the last, and counted in eras of 400 years, which have 146 097 days each.
private struct CivilDate {
    let year: Int
    let month: Int
    let day: Int

    private static let daysPerEra = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epoch = 719_468

    init?(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
        guard (1...12).contains(month), day >= 1, CivilDate(daysSince1970: daysSince1970).month == month else {
            return nil
        }
    }

    init(daysSince1970 days: Int) {
        let shifted = days + CivilDate.epoch
        let era = (shifted >= 0 ? shifted : shifted - CivilDate.daysPerEra + 1) / CivilDate.daysPerEra
        let dayOfEra = shifted - era * CivilDate.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * CivilDate.daysPerEra + dayOfEra - CivilDate.epoch
    }
}
