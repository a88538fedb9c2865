import DaemonTestSupport
import Instrument
import Music
import PixelBoopClient
import Wire

/// Plays without a JACK server, while two clients listen.
struct InternalPerformance {
    let daemon: DaemonProcess
    let seed: UInt64
    private let tally = Tally()

    init(daemon: DaemonProcess, seed: UInt64) {
        self.daemon = daemon
        self.seed = seed
    }

    func play(for duration: Duration) async throws {
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        say("anything at once with the internal driver for \(duration.components.seconds) s")
        let blocks = try await daemon.connect().subscribe(to: [.audio])
        let others = try await daemon.connect().subscribe(to: [.audio])
        let listening = Task { for try await _ in others {} }
        defer { listening.cancel() }
        try await Player.playTogether(4, daemon, tally, seed: seed) { try await Task.sleep(for: duration) }
        say("every note at once with the internal driver")
        try await client.setPattern(Performance.fullPattern)
        for track in Track.allCases {
            try await client.set(
                track, [.mute: false, .solo: false, .gain: 0, .reverb: -6, .delay: -6, .target: "internal"])
        }
        try await client.play()
        var sounding = 0
        for try await case .audio(let block) in blocks where block.pcm != nil {
            sounding += 1
            if sounding == 100 { break }
        }
        let audio = try await client.statistics().audio
        say("\(sounding) blocks with sound; worst period \(audio.worst) µs, \(audio.xruns) gaps")
    }
}
