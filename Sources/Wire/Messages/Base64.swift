import JSON

/// Bytes as text (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// By ASCII code; 255 for characters that are not digits.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 255, count: 256)
        for (value, letter) in alphabet.enumerated() { digits[Int(letter)] = UInt8(value) }
        return digits
    }()

    static func text(of bytes: [UInt8]) -> String {
        let length = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: length) { text in
            for group in 0..<(bytes.count + 2) / 3 {
                let rest = bytes.count - 3 * group
                let word =
                    Int(bytes[3 * group]) << 16 | (rest > 1 ? Int(bytes[3 * group + 1]) << 8 : 0)
                    | (rest > 2 ? Int(bytes[3 * group + 2]) : 0)
                text[4 * group] = alphabet[word >> 18]
                text[4 * group + 1] = alphabet[word >> 12 & 63]
                text[4 * group + 2] = rest > 1 ? alphabet[word >> 6 & 63] : padding
                text[4 * group + 3] = rest > 2 ? alphabet[word & 63] : padding
            }
            return length
        }
    }

    /// nil if the text is not base64.
    static func bytes(of text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        guard text.count.isMultiple(of: 4) else { return nil }
        let paddingCount = text.suffix(2).count { $0 == padding }
        let digitCount = text.count - paddingCount
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (word, bits) = (0, 0)
        for letter in text.prefix(digitCount) {
            let digit = digits[Int(letter)]
            guard digit != 255 else { return nil }
            word = (word << 6 | Int(digit)) & 0xffff
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(word >> bits & 255))
        }
        return bytes
    }
}

extension Kind<[UInt8]> {
    /// Bytes as text.
    static let base64 = Kind(
        expected: "base64", schema: ["type": "string", "contentEncoding": "base64"],
        reading: { $0.stringValue.flatMap { Base64.bytes(of: $0) } }, writing: { .string(Base64.text(of: $0)) })
}
