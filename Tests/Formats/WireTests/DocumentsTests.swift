import JSON
import PatternFormat
import TestSupport
import Testing
import Wire

struct DocumentsTests {
    /// The documents generated from the descriptions, by path.
    private static let documents: [String: [UInt8]] = [
        "docs/openrpc.json": OpenRPC.document.prettyBytes,
        "docs/pattern.schema.json": PatternFormat.schemaDocument.prettyBytes,
        "docs/reference.md": Array(ReferencePage.text.utf8),
    ]

    @Test(arguments: documents.keys.sorted())
    func `the page matches the descriptions`(path: String) throws {
        let file = RepositoryFile(path)
        let content = try #require(Self.documents[path])
        if RepositoryFile.isUpdating { try file.write(content) }
        let isEqual = try file.content == content
        #expect(isEqual, "\(path): write it anew with scripts/reference")
    }

    /// JSON Schema wants the elements of `required` to be unique.
    @Test func `no schema requires a member twice`() {
        func repeated(in value: JSONValue) -> [String] {
            let names = (value.objectValue?["required"]?.arrayValue ?? []).compactMap(\.stringValue)
            let twice = names.filter { name in names.count { $0 == name } > 1 }
            let parts = value.arrayValue ?? value.objectValue?.members.map(\.value) ?? []
            return parts.reduce(into: twice) { $0 += repeated(in: $1) }
        }
        #expect(repeated(in: OpenRPC.document) == [])
        #expect(repeated(in: PatternFormat.schemaDocument) == [])
        #expect(repeated(in: .object(["required": ["a", "b", "a"]])) == ["a", "a"])
    }

    @Test func `no method is described twice`() {
        let names = Methods.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("note.set") && names.contains("track.set") && names.contains("rpc.discover"))
    }

    /// Rows are like "| `note.set`, `pattern.*` | ...".
    @Test func `the protocol page names every method, and no other`() throws {
        let page = String(decoding: try RepositoryFile("docs/protocol.md").content, as: UTF8.self)
        let table = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Methods\n") })
        var names: [String] = []
        for row in table.split(separator: "\n") where row.hasPrefix("| `") {
            let cell = row.split(separator: " | ")[0]
            for name in cell.split(separator: "`").filter({ $0.contains(where: \.isLetter) }) {
                guard name.hasSuffix(".*") else {
                    names.append(String(name))
                    continue
                }
                let group = Methods.all.map(\.name).filter { $0.hasPrefix(name.dropLast()) }
                #expect(!group.isEmpty, "\(name)")
                names += group
            }
        }
        #expect(names.sorted() == Methods.all.map(\.name).sorted())
    }

    @Test(arguments: ErrorCode.ofDaemon)
    func `a method names the error`(code: ErrorCode) {
        #expect(Methods.all.contains { $0.errors.contains(code) }, "\(code.name)")
    }

    @Test(arguments: Methods.all.map(\.name))
    func `the method and its parameters are described in sentences`(name: String) throws {
        let method = try #require(Methods.named(name))
        #expect(method.summary.hasSuffix("."))
        for parameter in method.parameters { #expect(parameter.summary.hasSuffix("."), "\(parameter.name)") }
    }

    @Test func `every topic's notification is described, and those sent to all clients`() {
        let names = Notifications.all.map(\.name)
        #expect(names.sorted() == (Topic.allCases.map(\.rawValue) + ["welcome", "bye"]).sorted())
        #expect(Notifications.all.allSatisfy { $0.summary.hasSuffix(".") })
    }

    @Test(arguments: Notifications.all.map(\.name))
    func `the notification's example can be read`(name: String) throws {
        let described = try #require(Notifications.all.first { $0.name == name })
        let example = JSONValue.object(described.example)
        switch try DaemonNotification(method: name, parameters: example) {
        case .message(let message): #expect(.object(message.json) == example)
        case .state(let patch): #expect(name == "state" && patch == example)
        case .other: Issue.record("not read")
        }
    }

    /// A picture and the document itself would fill the page.
    @Test func `results have examples`() {
        let without = Methods.all.filter { $0.example.result == nil }.map(\.name)
        #expect(without == ["frame.get", "rpc.discover"])
    }

    @Test(arguments: Methods.all.map(\.name))
    func `the example names only existing parameters, and all required ones`(name: String) throws {
        let method = try #require(Methods.named(name))
        let given = method.example.parameters.members.map(\.name)
        #expect(given.allSatisfy { name in method.parameters.contains { $0.name == name } })
        #expect(method.parameters.allSatisfy { !$0.isRequired || given.contains($0.name) })
    }
}
