/// Damages lines of text, and other bytes, as careless and malicious programs do.
public enum LineMutator {
    private static let fragments = [
        "null", "true", "-0", "1e999", "-1e308", "4.0", "9223372036854775808", "\"\"", "{}", "[]", "[[[[", "}", "]",
        "\"\\ud800\"", "\\u0000", "\"jsonrpc\"", ",", ":", "NaN", "\u{0}", "\"melody\"",
    ]

    /// The line with up to four changes, and still one line.
    public static func mutate(_ line: String, using random: inout some RandomNumberGenerator) -> [UInt8] {
        damage(Array(line.utf8), using: &random).filter { $0 != UInt8(ascii: "\n") }
    }

    /// The bytes with up to four changes: bytes flipped, inserted, removed or doubled, and fragments of JSON put in.
    public static func damage(_ bytes: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...4, using: &random) { change(&bytes, using: &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], using random: inout some RandomNumberGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &random)
        let end = min(place + Int.random(in: 1...8, using: &random), bytes.count)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.replaceSubrange(place..<end, with: fragments.randomElement(using: &random)!.utf8)
        }
    }
}
