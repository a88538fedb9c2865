import ControlTestSupport
import JSON
import Testing
import Wire

/// What may be bound, and what is refused.
@Suite struct MidiMethodTests {
    private static let knob: JSONValue = ["type": "cc", "channel": 3, "number": 74]

    @Test(arguments: Reach.allCases)
    func `what is bound is listed and forgotten again`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let action: JSONValue = ["method": "track.set", "params": ["track": "bass"], "value": "tone"]
            #expect(try await client.call("midi.bind", ["on": Self.knob, "to": action]) == [:])
            let listed = try await client.call("midi.bindings").objectValue?["bindings"]?.arrayValue
            #expect(listed?.count == 17)
            #expect(listed?.last == ["on": Self.knob, "to": action])
            #expect(try await client.call("midi.unbind", ["on": Self.knob]) == [:])
            #expect(try await client.refusal("midi.unbind", ["on": Self.knob])?.code == .notFound)
        }
    }

    @Test(
        arguments: [
            (["method": "library.delete", "params": ["name": "x"]], "to.method"),
            (["method": "track.set", "params": ["track": "bass"], "value": "nothing"], "to.value"),
            (["method": "track.set", "params": [:], "value": "tempo"], "to.value"),
            (["method": "slot.launch", "params": ["track": "bass"]], "slot"),
        ] as [(JSONValue, String)])
    func `what cannot be called is not bound`(action: JSONValue, field: String) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let error = try await client.refusal("midi.bind", ["on": Self.knob, "to": action])
            #expect(error?.code == .invalidParams && error?.message.contains(field) == true)
        }
    }
}
