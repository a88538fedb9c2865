import SystemSupport
import Testing

/// Names that need not be UTF-8.
struct ByteTextTests {
    @Test(
        arguments: [
            ([], ""), (Array("system:playback_1".utf8), "system:playback_1"), (Array("Größe 🎹".utf8), "Größe 🎹"),
            // Latin-1; a character that is cut off; a surrogate.
            ([0x47, 0xe4], "G\u{10fee4}"), ([0xf0, 0x9f, 0x8e], "\u{10fef0}\u{10fe9f}\u{10fe8e}"),
            ([0xed, 0xa0, 0x80, 0x41], "\u{10feed}\u{10fea0}\u{10fe80}A"),
            // A character that stands for a byte elsewhere.
            (Array("\u{10fee4}".utf8), "\u{10fef4}\u{10fe8f}\u{10febb}\u{10fea4}"),
        ] as [([UInt8], String)])
    func `text stands for bytes`(bytes: [UInt8], text: String) {
        #expect(Array(ByteText.text(bytes).unicodeScalars) == Array(text.unicodeScalars))
        #expect(ByteText.bytes(text) == bytes)
    }

    @Test func `any bytes are the same after being text, also as a C string`() {
        var random = SeededSource(seed: 11)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                // Mostly what begins and continues longer characters.
                UInt8.random(in: Bool.random(using: &random) ? 0x80...0xff : 1...0xff, using: &random)
            }
            #expect(ByteText.bytes(ByteText.text(bytes)) == bytes)
            #expect(ByteText.cString(ByteText.text(bytes)).map { UInt8(bitPattern: $0) } == bytes + [0])
        }
    }
}

/// Seeded, so that failures can be repeated (SplitMix64).
private struct SeededSource: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
