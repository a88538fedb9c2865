import DaemonTestSupport
import Glibc
import Music
import PixelBoopClient
import Testing

/// The library's real files.
@Suite(.timeLimit(.minutes(2))) struct LibraryTests {
    @Test func `a load of what was just saved changes neither the pattern nor the history`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let client = try await daemon.connect()
        for step in 0..<3 { try await client.setNote(.bass, step: step, note: 0, .normal, values: [.chance: 50]) }
        for _ in 0..<2 { _ = try await client.undo() }
        try await client.save("A")
        let pattern = try await client.pattern()
        try await client.load("A")
        #expect(try await client.pattern() == pattern)
        let history = try await client.state().state.history
        #expect(history.undo == 1 && history.redo == 2)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
