import Engine
import Instrument
import JackAudio
import JackTestSupport
import Music
import TestNeeds
import TestSupport
import Testing

/// How JACK's clients describe themselves, in a database that all servers of a user share.
@Suite(.needs(Need("needs that no other JACK server runs", isMet: !MetadataDatabase.isUsed)), .timeLimit(.minutes(1)))
struct MetadataTests {
    private static let prefix = "http://jackaudio.org/metadata/"
    /// How many clients and ports have which property.
    private static let counts = [
        "icon-name": 1, "pretty-name": EnginePort.all.count, "order": EnginePort.all.count,
        "port-group": EnginePort.all.count,
    ]

    @Test(.needs(Need("needs a JACK library with metadata", isMet: MetadataDatabase.isSupported)))
    func `the client describes its ports and itself to others`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                _ = try await driver.session()
                // No client is closed while properties are set, because jackd may hang then: see DescriptionSchedule.
                let recorder = try JackRecorder([], of: server)
                defer { recorder.close() }
                #expect(await recorder.record(frames: 48000))
                let properties = try await properties(on: server)
                #expect(counts(in: properties) == Self.counts)
                #expect(properties.contains("key: \(Self.prefix)icon-name value: pixelboop"))
                for name in ["Main left", "Main right", "Melody", "Chords", "Bass", "Rhythm"] {
                    #expect(properties.contains("key: \(Self.prefix)pretty-name value: \(name)"))
                }
                for order in 1...6 {
                    let type = "http://www.w3.org/2001/XMLSchema#int"
                    #expect(properties.contains("key: \(Self.prefix)order value: \(order) type: \(type)"))
                }
                #expect(properties.contains("key: \(Self.prefix)port-group value: Tracks"))
                #expect(properties.contains("key: \(Self.prefix)event-types value: MIDI"))
                #expect(driver.seen.allSatisfy { if case .warning = $0 { false } else { true } })
            }
        }
    }

    /// JACK's tool lists the current state, and nothing waits for a change.
    private func properties(on server: JackServer) async throws -> String {
        var properties = ""
        try await waitUntil {
            properties = try await JackTool.run("jack_property", "-l", on: server)
            return counts(in: properties) == Self.counts
        }
        return properties
    }

    private func counts(in properties: String) -> [String: Int] {
        let lines = properties.split(separator: "\n")
        return Self.counts.keys.reduce(into: [:]) { counts, key in
            counts[key] = lines.count { $0.hasPrefix("key: \(Self.prefix)\(key) ") }
        }
    }

    @Test func `a server that refuses metadata is reported once, however often it comes and goes`() async throws {
        try await JackServer.with(isStarted: false) { server in
            // Otherwise it would be spoilt for another server that was started during the tests.
            try #require(!MetadataDatabase.isUsed)
            try MetadataDatabase.spoil()
            defer { MetadataDatabase.removeIfUnused() }
            try await server.start()
            try await RunningDriver.with(server) { driver in
                let warning = JackEvent.warning("JACK refused metadata: patchbays show plain port names")
                try await driver.next { $0 == warning ? true : nil }
                for _ in 0..<2 {
                    await server.stop()
                    try await driver.next(.lost)
                    try await server.start()
                    try await driver.next(.running)
                }
                let warnings = driver.seen.filter { if case .warning = $0 { true } else { false } }
                #expect(warnings == [warning])
            }
            await server.stop()
        }
    }
}
