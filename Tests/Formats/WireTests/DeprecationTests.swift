import JSON
import Testing
import Wire

/// Even if nothing is deprecated today, deprecation would be reported to programs and people.
struct DeprecationTests {
    private let planted = Method(
        "tempo.nudge", "Use `tempo.set`.", .required("by", Kind<Int>.integer(in: -5...5), "By how much."),
        MethodParameter<Bool?>.optional("fast", .boolean, "Use `by`.").deprecated(), result: .nothing,
        example: .init(["by": 1], returns: [:])
    ).deprecated()

    @Test func `deprecated methods and parameters are marked in the OpenRPC document`() throws {
        let object = planted.description.openRPC
        #expect(object["deprecated"] == true)
        let parameters = try #require(object["params"]?.arrayValue)
        #expect(parameters.map { $0.objectValue?["deprecated"] } == [nil, true])
    }

    @Test func `so are deprecated notifications`() throws {
        let bye = try #require(Notifications.all.last)
        #expect(bye.openRPC["deprecated"] == nil)
        #expect(bye.deprecated().openRPC["deprecated"] == true)
        #expect(ReferencePage.section(bye.deprecated()).contains("\n**Deprecated.** The daemon closes"))
    }

    @Test func `the reference page shows deprecation beside what to use instead`() {
        let page = ReferencePage.section(planted.description)
        #expect(page.hasPrefix("## `tempo.nudge`\n\n**Deprecated.** Use `tempo.set`.\n"))
        #expect(page.contains("| `fast` | true or false | optional | **Deprecated.** Use `by`. |"))
        #expect(page.contains("| required | By how much. |"))
    }

    @Test func `deprecated methods still work`() throws {
        let read = try planted.parameters(Fields(["by": 2, "fast": true]))
        #expect(read.0 == 2 && read.1 == true)
        #expect(planted.json(of: (2, true)) == ["by": 2, "fast": true])
    }
}
