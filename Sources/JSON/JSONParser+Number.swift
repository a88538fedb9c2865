extension JSONParser {
    /// A number: an integer where it is written as one and fits, else a double.
    mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = position
        var decimal = Decimal()
        decimal.isNegative = skip(.minus)
        try parseDigits(into: &decimal, leadingZeros: false)
        var isInteger = true
        if skip(.point) {
            isInteger = false
            let first = position
            try parseDigits(into: &decimal, leadingZeros: true)
            decimal.exponent -= position - first
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            decimal.exponent += try parseExponent()
        }
        if isInteger, let integer = decimal.integer { return .integer(integer) }
        if let number = decimal.exactDouble { return .number(number) }
        return .number(try nearestDouble(from: start))
    }

    private mutating func parseDigits(into decimal: inout Decimal, leadingZeros: Bool) throws(JSONError) {
        let first = position
        while let byte = next, (.zero ... .nine).contains(byte) {
            decimal.append(digit: UInt64(byte - .zero))
            position += 1
        }
        guard position > first else { throw failure("a digit") }
        if !leadingZeros, position > first + 1, bytes[first] == .zero {
            throw JSONError(offset: first + 1, expected: "no digit after a leading zero")
        }
    }

    /// The exponent behind the `e`; beyond ±100000 its size no longer matters.
    private mutating func parseExponent() throws(JSONError) -> Int {
        let isNegative = skip(.minus)
        if !isNegative { _ = skip(.plus) }
        guard let byte = next, (.zero ... .nine).contains(byte) else { throw failure("a digit") }
        var exponent = 0
        while let byte = next, (.zero ... .nine).contains(byte) {
            exponent = min(exponent * 10 + Int(byte - .zero), 100_000)
            position += 1
        }
        return isNegative ? -exponent : exponent
    }

    /// The double nearest to the number that was read from `start`, by the standard library's correctly rounding way.
    private func nearestDouble(from start: Int) throws(JSONError) -> Double {
        var text = ""
        for index in start..<position { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(offset: start, expected: "a number within the range of a double")
        }
        return value
    }
}

/// A decimal number while its digits come in: `significand` x 10^`exponent`.
private struct Decimal {
    var isNegative = false
    var exponent = 0
    private var significand: UInt64 = 0
    private var hasOverflowed = false

    mutating func append(digit: UInt64) {
        let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(digit)
        significand = sum
        hasOverflowed = hasOverflowed || overflow || carry
    }

    /// The number as an integer, its exponent taken as 0; nil when it does not fit or is -0, which only a double can be.
    var integer: Int? {
        if hasOverflowed || (isNegative && significand == 0) { return nil }
        if isNegative { return significand <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- significand) : nil }
        return Int(exactly: significand)
    }

    /// The nearest double where it takes one rounding: both factors are exact (Clinger, "How to read floating point
    /// numbers accurately", PLDI 1990). Nil where they are not.
    var exactDouble: Double? {
        guard !hasOverflowed, significand <= 1 << 53, abs(exponent) < Decimal.powersOfTen.count else { return nil }
        let magnitude =
            exponent < 0
            ? Double(significand) / Decimal.powersOfTen[-exponent]
            : Double(significand) * Decimal.powersOfTen[exponent]
        return isNegative ? -magnitude : magnitude
    }

    /// The powers of ten that a double holds exactly.
    private static let powersOfTen = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]
}
