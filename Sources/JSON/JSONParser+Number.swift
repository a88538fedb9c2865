extension JSONParser {
    /// A number: an integer where it is written as one and fits, else the nearest double.
    mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = skip(.minus)
        try skipDigits(leadingZeros: false)
        var isInteger = true
        if skip(.point) {
            isInteger = false
            try skipDigits(leadingZeros: true)
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(.minus) { _ = skip(UInt8(ascii: "+")) }
            try skipDigits(leadingZeros: true)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        // Only a double can be -0.
        if isInteger, let integer = Int(text), !(isNegative && integer == 0) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw JSONError(offset: start, expected: "a number within the range of a double")
        }
        return .number(number)
    }

    private mutating func skipDigits(leadingZeros: Bool) throws(JSONError) {
        let first = position
        while let byte = next, (.zero ... .nine).contains(byte) { position += 1 }
        guard position > first else { throw failure("a digit") }
        if !leadingZeros, position > first + 1, bytes[first] == .zero {
            throw JSONError(offset: first + 1, expected: "no digit after a leading zero")
        }
    }
}
