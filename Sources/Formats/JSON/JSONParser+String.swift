extension JSONParser {
    /// A string in quotes. Text between escapes is checked and copied as a whole.
    ///
    /// Every text from outside comes through here, so that no other code need expect many combining marks in a row: to
    /// compare or hash such texts takes minutes.
    mutating func parseString() throws(JSONError) -> String {
        let start = position
        position += 1
        var text = try parsePlainText()
        while true {
            switch next {
            case .quote:
                position += 1
                guard text.isStreamSafe else {
                    throw JSONError(offset: start, expected: "at most \(String.mostMarks) combining marks in a row")
                }
                return text
            case .backslash:
                text.unicodeScalars.append(try parseEscape())
                text += try parsePlainText()
            case nil: throw failure("the end of the string")
            default: throw failure("an escape for the control character")
            }
        }
    }

    /// The text up to the next quote, escape, control character or the end.
    private mutating func parsePlainText() throws(JSONError) -> String {
        let start = position
        while let byte = next, byte >= .space, byte != .quote, byte != .backslash { position += 1 }
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(start..<position).span))
        } catch {
            throw JSONError(offset: start + error.byteOffsets.lowerBound, expected: "valid UTF-8")
        }
    }

    private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        position += 1
        switch next {
        case .quote: return single("\"")
        case .backslash: return single("\\")
        case UInt8(ascii: "/"): return single("/")
        case UInt8(ascii: "b"): return single("\u{8}")
        case UInt8(ascii: "f"): return single("\u{c}")
        case UInt8(ascii: "n"): return single("\n")
        case UInt8(ascii: "r"): return single("\r")
        case UInt8(ascii: "t"): return single("\t")
        case UInt8(ascii: "u"): return try parseUnicodeEscape(from: start)
        default: throw failure("one of \" \\ / b f n r t u")
        }
    }

    private mutating func single(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        position += 1
        return scalar
    }

    /// The scalar of `uXXXX`, or of `uXXXX\uXXXX` for a surrogate pair.
    private mutating func parseUnicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try parseCodeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if UTF16.isLeadSurrogate(unit), skip(.backslash), next == UInt8(ascii: "u") {
            let trail = try parseCodeUnit()
            if UTF16.isTrailSurrogate(trail) {
                return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
            }
        }
        throw JSONError(offset: start, expected: "a surrogate pair")
    }

    /// The value of `uXXXX`.
    private mutating func parseCodeUnit() throws(JSONError) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw failure("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
