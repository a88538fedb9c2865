import DaemonTestSupport
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport

/// What happens to the JACK server while the daemon plays on it.
struct ServerChanges {
    private enum Change: CaseIterable {
        case period
        case otherClients
        case freewheel
        case hang
        case restart
    }

    private let server: JackServer
    private let client: PixelBoopClient
    private var generator: SeededGenerator

    /// - Parameter client: Reports when the daemon has noticed.
    init(server: JackServer, client: PixelBoopClient, seed: UInt64) {
        self.server = server
        self.client = client
        generator = SeededGenerator(seed: seed)
    }

    /// Makes every change at least once, in random order, until the time is over.
    mutating func happen(for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        repeat {
            for change in Change.allCases.shuffled(using: &generator) { try await happen(change) }
        } while ContinuousClock.now < end
    }

    private mutating func happen(_ change: Change) async throws {
        switch change {
        case .period: try await changePeriod()
        case .otherClients: try await comeAndGo()
        case .freewheel: try await freewheel()
        case .hang: try await hang()
        case .restart: try await restart()
        }
    }

    private mutating func changePeriod() async throws {
        for period in [16, 32, 64, 256, 1000, 4096, 8192].shuffled(using: &generator) + [64] {
            try await JackTool.run("jack_bufsize", "\(period)", on: server)
            try await record(["main_L"], seconds: 0.1)
        }
    }

    private mutating func comeAndGo() async throws {
        for port in ["main_L", "main_R", "melody", "chords", "bass", "rhythm"].shuffled(using: &generator) {
            try await record([port, "main_R"], seconds: 0.1)
        }
        try await JackTool.run("jack_disconnect", "pixelboop:main_L", "system:playback_1", on: server)
        try await JackTool.run("jack_connect", "pixelboop:main_L", "system:playback_1", on: server)
    }

    private func freewheel() async throws {
        let recorder = try JackRecorder(["pixelboop:main_L"], of: server)
        defer { recorder.close() }
        try recorder.setFreewheel(true)
        guard await recorder.record(frames: 2 * server.sampleRate) else { throw CheckFailure.missing("freewheeling") }
        try recorder.setFreewheel(false)
    }

    private func hang() async throws {
        server.suspend()
        try await client.waitForState { $0.audio.status == .lost }
        server.resume()
        try await client.waitForState { $0.audio.status == .running }
    }

    private mutating func restart() async throws {
        await server.kill()
        try await client.waitForState { $0.audio.status == .lost }
        server.sampleRate = [44100, 48000, 88200, 96000, 192_000].randomElement(using: &generator)!
        try await server.start()
        try await client.waitForState { $0.audio.status == .running }
    }

    private func record(_ ports: [String], seconds: Double) async throws {
        let recorder = try JackRecorder(ports.map { "pixelboop:\($0)" }, of: server)
        defer { recorder.close() }
        guard await recorder.record(frames: Int(seconds * Double(server.sampleRate))) else {
            throw CheckFailure.missing("periods of the server")
        }
    }
}
