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
            if name == "take.data" { try await makeRender(3, by: client) }
            let result = try await client.call(name, example.parameters)
            if let expected = example.result { #expect(result == expected) }
        }
    }

    /// Renders in the background until a render of that number is ready.
    private func makeRender(_ number: Int, by client: TestClient) async throws {
        try await client.call("subscribe", ["topics": ["take"]])
        for _ in 1...number { try await client.call("take.render", ["take": 1]) }
        while true {
            if case .done(number, _, _) = try await client.next(TakeEvent.self) { return }
        }
    }
}
