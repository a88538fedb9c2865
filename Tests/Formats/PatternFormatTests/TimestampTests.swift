import PatternFormat
import TestSupport
import Testing

@Suite struct TimestampTests {
    static let moments: [(Int, String)] = [
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (1_767_357_296, "2026-01-02T12:34:56Z"),
        (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
        (2_147_483_648, "2038-01-19T03:14:08Z"), (-12_219_292_800, "1582-10-15T00:00:00Z"),
        (-62_167_392_000, "0000-01-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
    ]

    @Test(arguments: moments)
    func `a moment has one text`(seconds: Int, text: String) {
        #expect(Timestamp.text(seconds: seconds) == text)
        #expect(Timestamp.seconds(text: text) == seconds)
    }

    @Test func `years beyond four digits have no text`() {
        for seconds in [-62_167_392_001, 253_402_300_800, .min, .max] {
            #expect(Timestamp.text(seconds: seconds) == nil)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `every moment is read back from its text`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let seconds = Int.random(in: -62_167_392_000..<253_402_300_800, using: &random)
            let text = try #require(Timestamp.text(seconds: seconds))
            #expect(Timestamp.seconds(text: text) == seconds)
        }
    }

    static let variants: [(String, Int)] = [
        ("2026-01-02T12:34:56.789Z", 1_767_357_296), ("2026-01-02T12:34:56.999999999Z", 1_767_357_296),
        ("2026-01-02t12:34:56z", 1_767_357_296), ("2026-01-02T14:34:56+02:00", 1_767_357_296),
        ("2026-01-02T07:04:56-05:30", 1_767_357_296), ("2026-01-02T14:34:56+0200", 1_767_357_296),
    ]

    @Test(arguments: variants)
    func `fractions are dropped, offsets are applied`(text: String, seconds: Int) {
        #expect(Timestamp.seconds(text: text) == seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-01-02", "2026-01-02T12:34Z", "2026-01-02T12:34:56", "2026-01-02 12:34:56Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-02T24:00:00Z", "2026-01-02T00:60:00Z", "2026-01-02T00:00:61Z", "2026-01-02T12:34:56.Z",
        "2026-01-02T12:34:56ZZ",
        "2026-01-02T23:59:60Z", "2026-01-02T12:34:56Z\u{301}", "2026-01-02T12:34:56+25:00", "26-01-02T12:34:56Z",
        "+2026-01-02T12:34:56Z",
        "２026-01-02T12:34:56Z",
    ])
    func `a text that is not a timestamp is nil`(text: String) {
        #expect(Timestamp.seconds(text: text) == nil)
    }
}
