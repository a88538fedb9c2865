import ControlTestSupport
import JSON
import Testing
import Wire

@testable import Control

@Suite(.timeLimit(.minutes(1)))
struct HandlerTests {
    @Test func `every described method has a handler, and every handler a method`() {
        #expect(Handlers.all.map(\.method.name).sorted() == Methods.all.map(\.name).sorted())
    }

    @Test(arguments: Methods.all.map(\.name))
    func `the example in the method's description works`(name: String) async throws {
        let example = try #require(Methods.named(name)).example
        try await TestServer.with(.direct, hasAudio: true) { server in
            let client = try await server.client()
            if name.hasPrefix("library.") { try await client.call("library.save", ["name": "groove"]) }
            if name == "transport.pause" { try await client.call("transport.play") }
            if name == "midi.bindings" {
                for bound in try await client.call(name).objectValue?["bindings"]?.arrayValue ?? [] {
                    try await client.call("midi.unbind", ["on": bound.objectValue?["on"] ?? .null])
                }
                try await client.call("midi.bind", Methods.bind.description.example.parameters)
            }
            let result = try await client.call(name, example.parameters)
            if let expected = example.result { #expect(result == expected) }
        }
    }
}
