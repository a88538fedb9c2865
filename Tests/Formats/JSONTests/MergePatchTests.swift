import JSON
import TestSupport
import Testing

@Suite struct MergePatchTests {
    /// The cases of RFC 7386, appendix A: original, patch, result.
    static let cases = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    @Test(arguments: cases)
    func `patches apply as in the standard`(original: String, patch: String, result: String) throws {
        let patched = try JSONValue(parsing: original).applying(JSONValue(parsing: patch))
        #expect(try patched == JSONValue(parsing: result))
    }

    @Test func `a patch holds only the changes`() {
        let old: JSONValue = ["bpm": 120, "audio": ["rate": 48000, "period": 64, "reason": "x"], "list": [1, 2]]
        let new: JSONValue = ["bpm": 125, "audio": ["rate": 48000, "period": 128], "list": [1, 2], "name": "a"]
        let patch = JSONValue.mergePatch(from: old, to: new)
        #expect(patch == ["bpm": 125, "audio": ["period": 128, "reason": .null], "name": "a"])
        #expect(JSONValue.mergePatch(from: new, to: new) == .object([:]))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `applying the patch between two objects gives the second`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let old = JSONValue.object(.random(depth: 3, using: &random)).withoutNullMembers
            var new = JSONValue.object(.random(depth: 3, using: &random)).withoutNullMembers
            if Bool.random(using: &random) { new = old.applying(new) }
            #expect(old.applying(.mergePatch(from: old, to: new)) == new)
        }
    }
}

extension JSONValue {
    /// Merge patches cannot set members to null.
    fileprivate var withoutNullMembers: JSONValue {
        guard case .object(let object) = self else { return self }
        let members = object.members.filter { !$0.value.isNull }
        return .object(JSONObject(members.map { .init(name: $0.name, value: $0.value.withoutNullMembers) }))
    }
}
