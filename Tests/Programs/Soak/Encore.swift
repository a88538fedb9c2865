import DaemonTestSupport
import JackTestSupport
import Music
import PatternFormat
import PixelBoopClient
import TestSupport

/// What a daemon's audio ports carry when it plays the demo from a standstill.
///
/// Whatever was played on it before, it must be what a daemon plays that nobody has touched: nothing is left of punch-ins,
/// drift and hand-played notes.
struct Encore {
    private static let ports = ["main_L", "main_R"] + Track.allCases.map(\.name) + ["reverb_L", "reverb_R"]
    private static let seconds = 30
    /// How often it plays again when a period was late.
    private static let attempts = 5

    /// The samples of each port, from the first one that sounds.
    private let channels: [[Float]]

    /// Lets a daemon play that is stopped.
    ///
    /// - Returns: Nil if every attempt missed a period.
    static func play(_ client: PixelBoopClient, on server: JackServer) async throws -> Encore? {
        try await client.newPattern()
        try await client.setPattern(PatternFormat.decode(RepositoryFile("config/demo.json").content))
        // These stay what they are when a pattern is loaded.
        for track in Track.allCases {
            _ = try await client.set(track, [.mute: false, .solo: false, .target: .choice(NoteTarget.voices)])
        }
        _ = try await client.set(.rhythm, [.mutedDrums: .selection([])])
        for _ in 0..<attempts {
            try await awaitSilence(on: server)
            if let encore = try await record(client, on: server) { return encore }
        }
        return nil
    }

    private static func record(_ client: PixelBoopClient, on server: JackServer) async throws -> Encore? {
        let recorder = try recorder(on: server)
        defer { recorder.close() }
        try await client.play()
        _ = await recorder.hear(channel: 0, above: 0)
        // From here on JACK waits for its clients, so that no period is late.
        try recorder.setFreewheel(true)
        await recorder.record(frames: seconds * server.sampleRate)
        try recorder.setFreewheel(false)
        try await client.stop()
        try await client.waitForState { $0.transport.state == .stopped }
        let recording = recorder.recording
        let first = recording.channels.indices.compactMap { recording.onset(channel: $0) }.min()
        guard recording.isContinuous, let first else { return nil }
        return Encore(
            channels: recording.channels.map { Array($0[first...].prefix((seconds - 1) * server.sampleRate)) })
    }

    /// Returns when the last tail has ended.
    private static func awaitSilence(on server: JackServer) async throws {
        let recorder = try recorder(on: server)
        defer { recorder.close() }
        try recorder.setFreewheel(true)
        await recorder.record(frames: seconds * server.sampleRate)
        try recorder.setFreewheel(false)
    }

    private static func recorder(on server: JackServer) throws -> JackRecorder {
        try JackRecorder(ports.map { "pixelboop:\($0)" }, of: server, seconds: Double(2 * seconds))
    }

    /// Where it differs from another one, in words; nil if it does not.
    func difference(from other: Encore) -> String? {
        let differences = zip(Self.ports, zip(channels, other.channels)).compactMap { port, samples in
            let (mine, theirs) = samples
            let errors = zip(mine, theirs).map { abs($0 - $1) }
            return errors.firstIndex { $0 > 0 }.map { "\(port) from frame \($0) on, by at most \(errors.max() ?? 0)" }
        }
        return differences.isEmpty ? nil : differences.joined(separator: ", ")
    }
}
