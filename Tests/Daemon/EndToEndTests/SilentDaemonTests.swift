import DaemonTestSupport
import Glibc
import PixelBoopClient
import TestSupport
import Testing

/// A daemon that never finds a JACK server.
@Suite(.timeLimit(.minutes(1))) struct SilentDaemonTests {
    /// JACK's clock is compared with the system's every ten seconds, and JACK's library has none before it has a server.
    @Test func `it survives the moment at which JACK's clock is read`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let client = try await daemon.connect()
        try await Task.sleep(for: .seconds(10.5))
        #expect(try await client.statistics().uptime > 10)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
