import JSON
import TestSupport
import Testing

@Suite struct WriterTests {
    static let texts: [(JSONValue, String)] = [
        (.null, "null"), (true, "true"), (false, "false"), ([], "[]"), (.object([:]), "{}"),
        ([1, [2], ["a": 3]], "[1,[2],{\"a\":3}]"), (["b": 1, "a": .null], "{\"b\":1,\"a\":null}"),
        (0, "0"), (-7, "-7"), (120, "120"), (.integer(.max), "9223372036854775807"),
        (.integer(.min), "-9223372036854775808"),
        (120.0, "120"), (0.1, "0.1"), (127.31, "127.31"), (-0.0, "-0"), (1e21, "1e+21"),
        (.number(.leastNonzeroMagnitude), "5e-324"),
        (0.5, "0.5"),
        (.number(.greatestFiniteMagnitude), "1.7976931348623157e+308"), (9_007_199_254_740_992.0, "9007199254740992"),
        (.number(.nan), "null"), (.number(.infinity), "null"), (.number(-.infinity), "null"),
        ("é😀/", "\"é😀/\""), ("\"\\", "\"\\\"\\\\\""), ("\n\r\t\0\u{1f}", "\"\\n\\r\\t\\u0000\\u001f\""),
        ("\u{7f}\u{2028}", "\"\u{7f}\u{2028}\""),
    ]

    @Test(arguments: texts)
    func `a value is written in as few bytes as possible`(value: JSONValue, text: String) {
        #expect(value.text == text)
    }

    @Test func `values are appended to existing bytes`() {
        var bytes = Array("{\"seq\":".utf8)
        bytes.appendJSON(12)
        bytes.append(contentsOf: ",\"x\":".utf8)
        bytes.appendJSON(-305)
        bytes.append(contentsOf: ",\"name\":".utf8)
        bytes.appendJSON("a\"b")
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"seq\":12,\"x\":-305,\"name\":\"a\\\"b\"")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a written value is one line and reads back the same`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = JSONValue.random(depth: 5, using: &random)
            let bytes = value.bytes
            #expect(!bytes.contains { $0 < 0x20 })
            #expect(try JSONValue(parsing: bytes) == value)
            #expect(try JSONValue(parsing: value.prettyBytes) == value)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `any finite double reads back exactly`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let read = try JSONValue(parsing: JSONValue.number(number).bytes).doubleValue
            #expect(read?.bitPattern == number.bitPattern)
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `decimals are rounded as the standard library rounds them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let digits = String(random.next() >> UInt64.random(in: 0..<64, using: &random))
            let text = "\(digits).\(random.next() % 1000)e\(Int.random(in: -30...30, using: &random))"
            #expect(try JSONValue(parsing: text).doubleValue == Double(text))
        }
    }

    @Test func `a file has one line for each note`() throws {
        let value: JSONValue = [
            "version": 1,
            "tracks": [
                "melody": ["type": "melody", "notes": [["col": 4, "pitch": 60], ["col": 5, "pitch": 62]]],
                "chords": ["type": "chords", "notes": []],
            ],
            "curve": [0, 0.5, 1], "deep": [[1], []],
        ]
        let text = """
            {
              "version": 1,
              "tracks": {
                "melody": {
                  "type": "melody",
                  "notes": [
                    {"col": 4, "pitch": 60},
                    {"col": 5, "pitch": 62}
                  ]
                },
                "chords": {"type": "chords", "notes": []}
              },
              "curve": [0, 0.5, 1],
              "deep": [
                [1],
                []
              ]
            }

            """
        #expect(String(decoding: value.prettyBytes, as: UTF8.self) == text)
    }

    @Test func `an array too long for a line is broken up`() {
        let value = JSONValue.array(Array(repeating: .string("sixteen letters!"), count: 6))
        #expect(value.prettyBytes.split(separator: UInt8(ascii: "\n")).count == 8)
    }
}
