import Engine
import Instrument
import JackAudio
import JackTestSupport
import Music
import Synchronization
import SystemSupport
import Testing

/// When the driver has memory locked and released, on a real server.
@Suite(.timeLimit(.minutes(1))) struct MemoryKeepingTests {
    private final class Calls: Sendable {
        private let all = Mutex<[String]>([])
        var names: [String] { all.withLock(\.self) }
        func note(_ name: String) { all.withLock { $0.append(name) } }
    }

    @Test func `memory is locked before the first cycle of each client`() async throws {
        try await JackServer.with { server in
            let calls = Calls()
            let memory = MemoryKeeping(lock: { calls.note("lock") }, release: { false })
            try await RunningDriver.with(server, memory: memory) { driver in
                try await driver.next(.running)
                #expect(calls.names == ["lock"])
                await server.stop()
                try await driver.next(.lost)
                try await server.start()
                try await driver.next(.running)
                #expect(calls.names == ["lock", "lock"])
            }
        }
    }

    @Test func `a client that JACK refuses gets a second try with the memory released`() async throws {
        try await JackServer.with { server in
            let (calls, hog) = (Calls(), try PortClient("hog", of: server))
            var count = 0
            while hog.addInput("in_\(count)") { count += 1 }
            // What is missing is not memory here, but ports.
            let memory = MemoryKeeping(
                lock: { calls.note("lock") },
                release: {
                    calls.note("release")
                    hog.close()
                    return true
                })
            try await RunningDriver.with(server, memory: memory) { driver in
                try await driver.next(.running)
                #expect(calls.names == ["release", "lock"])
                #expect(
                    !driver.seen.contains { if case .status(let status) = $0 { status.state == .lost } else { false } })
            }
        }
    }
}
