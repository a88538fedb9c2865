import JSON
import Testing

@Suite struct ValueTests {
    static let kinds: [(JSONValue, String)] = [
        (.null, "null"), (true, "a boolean"), (1, "a number"), (1.5, "a number"), ("", "a string"), ([], "an array"),
        (.object([:]), "an object"),
    ]

    @Test(arguments: kinds)
    func `each kind has its name and its own accessor`(value: JSONValue, kind: String) {
        #expect(value.kind == kind)
        #expect(value.isNull == (kind == "null"))
        #expect((value.boolValue != nil) == (kind == "a boolean"))
        #expect((value.doubleValue != nil) == (kind == "a number"))
        #expect((value.stringValue != nil) == (kind == "a string"))
        #expect((value.arrayValue != nil) == (kind == "an array"))
        #expect((value.objectValue != nil) == (kind == "an object"))
    }

    @Test func `a whole number is an integer, however written`() {
        #expect(JSONValue.number(4.0).intValue == 4)
        #expect(JSONValue.number(-0.0).intValue == 0)
        #expect(JSONValue.number(4.5).intValue == nil)
        #expect(JSONValue.number(1e300).intValue == nil)
        #expect(JSONValue.number(0x1p63).intValue == nil)
        #expect(JSONValue.number(-0x1p63).intValue == .min)
        #expect(JSONValue.number(.nan).intValue == nil)
        #expect(JSONValue.string("4").intValue == nil)
        #expect(JSONValue.bool(true).intValue == nil)
        #expect(JSONValue.integer(3).doubleValue == 3.0)
    }

    @Test func `numbers are compared by exact value`() {
        #expect(JSONValue.integer(4) == .number(4.0))
        #expect(JSONValue.number(4.5) != .integer(4))
        #expect(JSONValue.integer(9_007_199_254_740_993) != .number(9_007_199_254_740_992))
        #expect(JSONValue.integer(1) != .bool(true))
        #expect(JSONValue.integer(1) != .string("1"))
    }

    @Test func `objects are equal whatever the order of their members`() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object == ["b": 2, "a": 1])
        #expect(object != ["a": 2, "b": 1])
        #expect(object != ["a": 1])
        #expect(object != ["a": 1, "c": 2])
        #expect(object != ["c": 1, "b": 2, "a": 3])
    }

    @Test func `an object made from keys has a member for each key with a value, in their order`() {
        let object = JSONObject([3, 1, 2], named: { "n\($0)" }, value: { $0 == 1 ? nil : .integer($0) })
        #expect(object.members.map(\.name) == ["n3", "n2"])
        #expect(object == ["n2": 2, "n3": 3])
    }

    @Test func `members are set, replaced and removed by name`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        object["d"] = nil
        #expect(object.members.map(\.name) == ["a", "c"])
        #expect(object["a"] == 3)
        #expect(object["b"] == nil)
        #expect(object.count == 2 && !object.isEmpty && JSONObject().isEmpty)
    }

    @Test(arguments: [3, 8, 9, 50])
    func `the last of equal names counts, at the place of the first`(count: Int) throws {
        var names = (0..<count).map { "name \($0)" }
        names[count - 1] = names[1]
        let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        let object = try #require(JSONValue(parsing: "{\(members)}").objectValue)
        #expect(object.members.map(\.name) == names.dropLast())
        #expect(object[names[1]] == .integer(count - 1))
        #expect(object[names[0]] == 0)
    }

    @Test func `a literal with equal names keeps the last`() {
        let object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.members.map(\.name) == ["a", "b"])
        #expect(object["a"] == 3)
    }
}
