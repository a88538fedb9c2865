import JSON
import TestSupport
import Testing

@Suite struct RejectTests {
    static let texts: [(String, Int, String)] = [
        // Structure
        ("", 0, "a value"), ("  ", 2, "a value"), ("[", 1, "a value"), ("]", 0, "a value"),
        ("{", 1, "a name in quotes"),
        ("[1", 2, "a comma or ]"), ("[1,", 3, "a value"), ("[1,]", 3, "a value"), ("[,1]", 1, "a value"),
        ("[1,,2]", 3, "a value"), ("[1 2]", 3, "a comma or ]"), ("[1}", 2, "a comma or ]"),
        ("{\"a\":1]", 6, "a comma or }"),
        ("{\"a\"", 4, "a colon"), ("{\"a\" 1}", 5, "a colon"), ("{\"a\":}", 5, "a value"),
        ("{\"a\":1,}", 7, "a name in quotes"),
        ("{a:1}", 1, "a name in quotes"), ("{1:1}", 1, "a name in quotes"), ("{'a':1}", 1, "a name in quotes"),
        ("{\"a\":1,,}", 7, "a name in quotes"), ("[] []", 3, "the end of the text"), ("1 2", 2, "the end of the text"),
        ("{}}", 2, "the end of the text"), ("[]\0", 2, "the end of the text"), ("[]// no", 2, "the end of the text"),
        ("/**/[]", 0, "a value"), ("[\u{a0}1]", 1, "a value"), ("[\u{c}1]", 1, "a value"), ("\u{feff}[]", 0, "a value"),
        // Words
        ("tru", 0, "true"), ("True", 0, "a value"), ("nul", 0, "null"), ("[fals]", 1, "false"),
        ("truee", 4, "the end of the text"),
        ("NaN", 0, "a value"), ("Infinity", 0, "a value"), ("-Infinity", 1, "a digit"), ("undefined", 0, "a value"),
        // Numbers
        ("-", 1, "a digit"), ("+1", 0, "a value"), (".5", 0, "a value"), ("-.5", 1, "a digit"), ("1.", 2, "a digit"),
        ("1.e3", 2, "a digit"), ("01", 1, "no digit after a leading zero"), ("-01", 2, "no digit after a leading zero"),
        ("00.5", 1, "no digit after a leading zero"), ("1e", 2, "a digit"), ("1e+", 3, "a digit"),
        ("1e1.5", 3, "the end of the text"),
        ("0x10", 1, "the end of the text"), ("1_000", 1, "the end of the text"), ("1,5", 1, "the end of the text"),
        ("[1e309]", 1, "a number within the range of a double"), ("-1e309", 0, "a number within the range of a double"),
        ("1e99999999999999999999", 0, "a number within the range of a double"), ("\u{ff11}", 0, "a value"),
        // Strings
        ("\"", 1, "the end of the string"), ("\"a", 2, "the end of the string"), ("\"\\\"", 3, "the end of the string"),
        ("'a'", 0, "a value"), ("\"a\nb\"", 2, "an escape for the control character"),
        ("\"\t\"", 1, "an escape for the control character"), ("\"\0\"", 1, "an escape for the control character"),
        ("\"\\x41\"", 2, "one of \" \\ / b f n r t u"), ("\"\\", 2, "one of \" \\ / b f n r t u"),
        ("\"\\u12\"", 5, "four hexadecimal digits"), ("\"\\u12g4\"", 5, "four hexadecimal digits"),
        ("\"\\u\u{ff11}234\"", 3, "four hexadecimal digits"), ("\"\\U0041\"", 2, "one of \" \\ / b f n r t u"),
        ("\"\\ud83d\"", 1, "a surrogate pair"), ("\"\\ude00\"", 1, "a surrogate pair"),
        ("\"\\ud83d\\n\"", 1, "a surrogate pair"),
        ("\"\\ude00\\ud83d\"", 1, "a surrogate pair"), ("\"\\ud83d\\ud83d\"", 1, "a surrogate pair"),
        ("\"\\ud83d\\u0041\"", 1, "a surrogate pair"), ("\"\\ud83dx\"", 1, "a surrogate pair"),
        ("{\"\\ud83d\":1}", 2, "a surrogate pair"),
    ]

    @Test(arguments: texts)
    func `invalid JSON is refused at its place`(text: String, offset: Int, expected: String) {
        #expect(throws: JSONError(offset: offset, expected: expected)) { try JSONValue(parsing: text) }
    }

    static let notUTF8: [[UInt8]] = [
        [0x80], [0xff], [0xc3], [0xc3, 0x28], [0xc0, 0xaf], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x82, 0x82, 0xac],
        [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe],
    ]

    @Test(arguments: notUTF8)
    func `bytes that are not UTF-8 are refused in strings`(bytes: [UInt8]) {
        let text = Array("[\"\\n\u{e9}".utf8) + bytes + Array("\"]".utf8)
        #expect(throws: JSONError(offset: 6, expected: "valid UTF-8")) { try JSONValue(parsing: text) }
    }

    @Test func `every prefix of a text is refused`() {
        let text = Array("{\"a\":[1.5e3,\"\\ud83d\\ude00\u{e9}\",true,null],\"b\":{}}".utf8)
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try JSONValue(parsing: text[..<length]) }
        }
    }

    @Test func `hundreds of thousands of brackets are refused at the limit`() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 400_000)
        #expect(throws: JSONError(offset: 64, expected: "at most 64 levels of nesting")) {
            try JSONValue(parsing: text)
        }
    }

    @Test func `an error names the byte and what was expected`() {
        #expect(JSONError(offset: 12, expected: "a value").description == "byte 12: expected a value")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `any value read from mutated bytes can be written and read again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = LineMutator.damage(JSONValue.random(depth: 4, using: &random).bytes, using: &random)
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            #expect(try JSONValue(parsing: value.bytes) == value)
        }
    }
}
