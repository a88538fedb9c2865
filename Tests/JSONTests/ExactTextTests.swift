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

    // As long as a line of the protocol may be.
    @Test(arguments: [0, 20])
    func `names of a million combining marks are read and compared at once`(others: Int) throws {
        let rest = (0..<others).map { ",\"\($0)\":0" }.joined()
        let text = "{\"\(String.combiningMarks(1_000_000))\":1,\"b\":2\(rest)}"
        let object = try #require(JSONValue(parsing: text).objectValue)
        #expect(object["b"] == 2)
        #expect(object["c"] == nil)
        let equals = try JSONValue(parsing: text) == .object(object)
        #expect(equals)
        let choice = Kind.one(of: ["b", "c"]) { $0 }
        #expect(throws: FieldError.self) { try choice.value(of: .string(object.members[0].name)) }
        let error = FieldError(field: object.members[0].name, problem: .invalid("")).inside("params")
        #expect(error.field.utf8.starts(with: "params.a".utf8))
    }
}
