import ControlTestSupport
import JSON
import Music
import PatternFormat
import Testing
import Wire

/// Each row of the table works from end to end, whatever its kind: number, integer, switch or choice.
@Suite struct ParameterTableTests {
    @Test(arguments: Parameter.allCases)
    func `a parameter is set by its method, shown by state.get, and part of the pattern if it belongs there`(
        parameter: Parameter
    ) async throws {
        let row = parameter.row
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let tracks: [Track?] = row.scope == .whole ? [nil] : Track.allCases.filter { row.scope.contains($0) }
            for track in tracks {
                let ends = [127, 0].map { row.kind(on: track).value(atController: $0) }
                let value = try #require(ends.first { $0 != row.defaultValue(on: track) })
                var arguments: JSONObject = [row.argument: value.json]
                arguments["track"] = track.map { .string($0.name) }
                try await client.call(row.method, arguments)
                let state = try InstrumentState(json: try await client.call("state.get"))
                #expect(state.settings[parameter, track] == value)
                let pattern = try PatternFormat.decode(try await client.call("pattern.get"))
                let kept = parameter.isOfPattern ? value : row.defaultValue(on: track)
                #expect(pattern.parameters[parameter, track] == kept)

                arguments[row.argument] = [:]
                let refusal = try await client.refusal(row.method, arguments)
                #expect(refusal?.message == "\(row.argument): expected \(row.kind(on: track).expected), got an object")
            }
        }
    }
}
