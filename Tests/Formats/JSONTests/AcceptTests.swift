import JSON
import Testing

@Suite struct AcceptTests {
    static let texts: [(String, JSONValue)] = [
        // Structure
        ("[]", []), ("{}", .object([:])), ("[[],[]]", [[], []]), ("[{}]", [.object([:])]),
        (" \t\r\n[ \n1\r,\t2 ] ", [1, 2]), (" { \"a\" : 1 } ", ["a": 1]),
        ("[null,true,false]", [.null, true, false]), ("null", .null), ("true", true), ("\"lone\"", "lone"), ("42", 42),
        ("{\"a\":{\"b\":[{\"c\":[]}]}}", ["a": ["b": [["c": []]]]]),
        // Members
        ("{\"\":0}", ["": 0]), ("{\"a\":1,\"a\":2}", ["a": 2]), ("{\"\\u0061\":1,\"a\":2}", ["a": 2]),
        ("{\"b\":1,\"a\":2}", ["a": 2, "b": 1]), ("{\"a\\u0000b\":1}", ["a\0b": 1]),
        // Numbers
        ("0", 0), ("-0", -0.0), ("-1", -1), ("1234567890", 1_234_567_890), ("0.5", 0.5), ("-0.5", -0.5), ("1E3", 1000),
        ("1e3", 1000), ("1e+3", 1000), ("1e-3", 0.001), ("0e9", 0), ("0e99999999999999999999", 0), ("1.0", 1),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", 9_223_372_036_854_775_808.0), ("-9223372036854775809", -9_223_372_036_854_775_808.0),
        ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
        ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("5e-324", .number(.leastNonzeroMagnitude)),
        ("1e-400", 0), ("-1e-400", -0.0), ("1e-99999999999999999999", 0), ("0.1e-0", 0.1), ("1e23", 1e23),
        ("9007199254740993.0", 9_007_199_254_740_992.0), ("0.000000000000000000000000000001", 1e-30),
        // Strings
        ("\"\"", ""), ("\"a b\"", "a b"), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{c}\n\r\t"),
        ("\"\\u00e9\\u00E9\"", "éé"), ("\"\\ud83d\\ude00\"", "😀"), ("\"\\uD834\\uDD1E\"", "\u{1d11e}"),
        ("\"\\u0000\"", "\0"), ("\"\\uFFFF\"", "\u{ffff}"), ("\"\\uDBFF\\uDFFF\"", "\u{10ffff}"),
        ("\"é😀\u{7f}\"", "é😀\u{7f}"),
        ("\"\u{2028}\u{2029}\u{feff}\"", "\u{2028}\u{2029}\u{feff}"), ("\"\\u002c // /* */\"", ", // /* */"),
    ]

    @Test(arguments: texts)
    func `every valid text is read as its value`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test func `the sign of negative zero is kept`() throws {
        for text in ["-0", "-0.0", "-0e5", "-1e-400"] {
            #expect(try JSONValue(parsing: text).doubleValue?.sign == .minus)
        }
    }

    @Test(arguments: [
        ("4", true), ("-4", true), ("4.0", false), ("4e0", false), ("-0", false), ("9223372036854775808", false),
    ])
    func `numbers written as integers that fit are integers, others doubles`(text: String, isInteger: Bool)
        throws
    {
        let value = try JSONValue(parsing: text)
        let readsAsInteger = if case .integer = value { true } else { false }
        #expect(readsAsInteger == isInteger)
    }

    @Test func `nesting is read up to the limit and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[{\"a\":", count: depth / 2) + "0" + String(repeating: "}]", count: depth / 2)
        }
        _ = try JSONValue(parsing: nested(64))
        #expect(throws: JSONError(offset: 192, expected: "at most 64 levels of nesting")) {
            try JSONValue(parsing: nested(66))
        }
        _ = try JSONValue(parsing: nested(2), maximumDepth: 2)
        #expect(throws: JSONError(offset: 0, expected: "at most 0 levels of nesting")) {
            try JSONValue(parsing: "[]", maximumDepth: 0)
        }
        _ = try JSONValue(parsing: "0", maximumDepth: 0)
    }

    @Test func `siblings do not count as nesting`() throws {
        let text = "[" + Array(repeating: "[[]]", count: 200).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: text, maximumDepth: 3).arrayValue?.count == 200)
    }

    @Test func `a text is read from any collection of bytes`() throws {
        let bytes = Array("xx[1,\"é\"]yy".utf8)
        let expected: JSONValue = [1, "é"]
        #expect(try JSONValue(parsing: bytes[2..<10]) == expected)
        #expect(
            try JSONValue(parsing: bytes.lazy.filter { $0 != UInt8(ascii: "x") && $0 != UInt8(ascii: "y") }) == expected
        )
        let raw = try bytes[2..<10].withUnsafeBytes { try JSONValue(parsing: $0) }
        #expect(raw == expected)
    }
}
