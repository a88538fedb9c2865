import JackAudio
import JackTestSupport
import Music
import Testing

/// The database of metadata, which all servers of a user share: nothing here is tried while somebody else's is running.
@Suite(.timeLimit(.minutes(5))) struct MetadataTests {
    @Test func `a server that refuses metadata is reported once, however often it comes and goes`() async throws {
        try await JackServer.with(isStarted: false) { server in
            guard !MetadataDatabase.isUsed else { return }
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

    @Test func `a test server that is killed leaves no database behind`() async throws {
        try await JackServer.with(isStarted: false) { server in
            guard !MetadataDatabase.isUsed else { return }
            try await server.start()
            #expect(MetadataDatabase.exists)
            await server.kill()
            #expect(!MetadataDatabase.exists)
        }
    }
}
