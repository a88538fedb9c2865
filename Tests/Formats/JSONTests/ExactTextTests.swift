import JSON
import TestSupport
import Testing

/// é in two ways.
private let (one, two) = ("\u{e9}", "e\u{301}")

@Suite(.timeLimit(.minutes(1))) struct ExactTextTests {
    @Test func `canonical equivalents are different texts`() {
        #expect(one == two)
        #expect(ExactText(one) != ExactText(two))
        #expect(ExactText(one) == ExactText(String(decoding: [0xc3, 0xa9], as: UTF8.self)))
        #expect(Set([ExactText(one), ExactText(two), ExactText(one)]).count == 2)
        #expect(JSONValue.string(one) != .string(two))
    }

    @Test(arguments: [0, 20]) func `canonical equivalents name different members`(others: Int) throws {
        let rest = (0..<others).map { ",\"\($0)\":0" }.joined()
        let object = try #require(JSONValue(parsing: "{\"\(one)\":1,\"\(two)\":2\(rest)}").objectValue)
        #expect(object.count == others + 2)
        #expect(object[one] == 1 && object[two] == 2)
        let other = try #require(JSONValue(parsing: "{\"\(two)\":2,\"\(one)\":1\(rest)}").objectValue)
        #expect(object == other)
        #expect(try JSONValue(parsing: JSONValue.object(object).bytes) == .object(object))
    }

    @Test func `a choice is found by its exact name`() throws {
        let kind = Kind.one(of: [1, 2]) { $0 == 1 ? one : two }
        #expect(try kind.value(of: .string(two)) == 2)
        #expect(try kind.value(of: .string(one)) == 1)
    }

    @Test(arguments: ["\u{301}", "\u{316}", "\\u0301"])
    func `a text with more than thirty combining marks in a row is refused`(mark: String) throws {
        func parse(_ count: Int) throws -> JSONValue {
            try JSONValue(parsing: "[1,{\"ae\(String(repeating: mark, count: count))x\":2}]")
        }
        #expect(throws: Never.self) { try parse(30) }
        let error = #expect(throws: JSONError.self) { try parse(31) }
        #expect(error?.offset == 4 && error?.expected == "at most 30 combining marks in a row")
    }

    // As long as a line of the protocol may be.
    @Test func `a text of a million combining marks is refused at once`() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: "\"\(String.combiningMarks(1_000_000))\"") }
    }

    @Test func `letters between combining marks make any length of text readable`() throws {
        let text = String(repeating: "e\u{301}\u{316}", count: 1000)
        #expect(try JSONValue(parsing: "\"\(text)\"") == .string(text))
    }
}
