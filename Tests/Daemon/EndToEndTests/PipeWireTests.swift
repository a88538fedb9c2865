import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestNeeds
import TestSupport
import Testing
import Wire

/// The daemon with PipeWire's library in place of JACK's.
@Suite(.serialized, .needs(PipeWireServer.need), .timeLimit(.minutes(isLongRun ? 3 : 2))) struct PipeWireTests {
    private static let ports = [
        "main_L", "main_R", "melody", "chords", "bass", "rhythm", "reverb_L", "reverb_R", "delay_L", "delay_R",
    ]

    private func withDaemon(
        hasSessionManager: Bool = false, patience: String = "",
        _ body: (PipeWireServer, DaemonProcess) async throws -> Void
    ) async throws {
        try await PipeWireServer.with(hasSessionManager: hasSessionManager) { server in
            let environment = server.environment.merging(["PIXELBOOP_JACK_PATIENCE": patience]) { $1 }
            let daemon = try DaemonProcess(jackServer: "default", environment: environment)
            try await daemon.start()
            try await body(server, daemon)
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }

    @Test(arguments: [false, true])
    func `its ports are there and connected, and what it plays is heard`(hasSessionManager: Bool) async throws {
        try await withDaemon(hasSessionManager: hasSessionManager) { server, daemon in
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await waitForWiring(["main_L": "Speakers:playback_FL", "main_R": "Speakers:playback_FR"], server)
            try await playOneLongNote(client)
            let sound = try await recordNote(server, client, on: Self.ports)
            for port in 0..<3 { expectNote(in: sound, port) }
            for port in 3..<6 { #expect(sound.channels[port].allSatisfy { $0 == 0 }) }
        }
    }

    @Test func `it follows each change of rate and period`() async throws {
        try await withDaemon { server, daemon in
            var client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await playOneLongNote(client)
            for (rate, period) in [(44100, 256), (96000, 2048), (48000, 1024)] {
                let sound = try await survivingCrashes(of: daemon, server, &client) { client in
                    try await change(rate: rate, period: period, server, client)
                    return try await recordNote(server, client)
                }
                #expect(sound.sampleRate == rate)
                expectNote(in: sound, 0)
            }
        }
    }

    /// PipeWire's library frees the memory of connected ports while a cycle writes there (seen with 0.3.65), which
    /// crashes any client in the middle of one. No client can prevent that: like the service manager, this restarts the
    /// daemon, up to three times, and repeats what was tried; any other problem fails the test.
    private func survivingCrashes<Result>(
        of daemon: DaemonProcess, _ server: PipeWireServer, _ client: inout PixelBoopClient,
        _ body: (PixelBoopClient) async throws -> Result
    ) async throws -> Result {
        var crashes = 0
        while true {
            do {
                let result = try await body(client)
                try await client.ping()
                return result
            } catch let failure where crashes < 3 {
                crashes += 1
                client = try await restart(daemon, after: failure, server)
            }
        }
    }

    /// - Returns: A client of the restarted daemon, at a rate and period that the test does not try.
    private func restart(
        _ daemon: DaemonProcess, after failure: any Error, _ server: PipeWireServer
    ) async throws -> PixelBoopClient {
        let (status, log) = await (daemon.end(with: SIGTERM), daemon.log)
        try #require([-SIGSEGV, -SIGBUS].contains(status), "\(failure)\n\(log)")
        reportRetry("PipeWire's library ended the daemon")
        try await server.set("clock.force-quantum", to: 512)
        try await server.set("clock.force-rate", to: 88_200)
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running && $0.audio.rate == 88_200 }
        try await client.play()
        return client
    }

    private func change(rate: Int, period: Int, _ server: PipeWireServer, _ client: PixelBoopClient) async throws {
        try await server.set("clock.force-quantum", to: period)
        try await client.waitForState { $0.audio.status == .running && $0.audio.period == period }
        try await server.set("clock.force-rate", to: rate)
        // The daemon opens a new client for it.
        try await client.waitForState {
            $0.audio.status == .running && $0.audio.rate == rate && $0.audio.period == period
                && $0.transport.state == .playing
        }
    }

    @Test func `after each restart it plays on with its wiring and holds no more than before`() async throws {
        let count = repetitions("PIXELBOOP_PIPEWIRE_RESTARTS", 3, long: 10)
        try await withDaemon { server, daemon in
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await playOneLongNote(client)
            let wiring = try await rewire(server, daemon)
            try await restart(server, client, with: SIGTERM)
            let process = await daemon.identifier
            let before = ProcessUse(of: process)
            var longest = Duration.zero
            for number in 1...count {
                longest = max(longest, try await restart(server, client, with: number % 2 == 0 ? SIGKILL : SIGTERM))
                try await waitForWiring(wiring, server)
            }
            let after = ProcessUse(of: process)
            print("\(count) restarts: played again after at most \(longest); \(before) -> \(after)")
            #expect(after.descriptors - before.descriptors < count)
            #expect(after.threads - before.threads < count)
            expectNote(in: try await recordNote(server, client), 0)
        }
    }

    @Test func `it waits for a server to start with`() async throws {
        try await withDaemon { server, daemon in
            await server.end()
            #expect(await daemon.end(with: SIGTERM) == 0)
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .noServer }
            try await server.start()
            try await client.waitForState { $0.audio.status == .running }
        }
    }

    @Test func `while the server hangs clients are served and afterwards it plays on`() async throws {
        try await withDaemon(patience: "stall=500 call=1000 firstRetry=100") { server, daemon in
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await playOneLongNote(client)
            try await client.waitForStep()
            await server.suspend()
            try await client.waitForState { $0.audio.status == .lost }
            try await client.setTempo(97)
            await server.resume()
            try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
            try await client.waitForStep()
            try await waitForWiring(["main_L": "Speakers:playback_FL", "main_R": "Speakers:playback_FR"], server)
        }
    }

    @Test func `it plays on another server while the first one still hangs, and ends in order`() async throws {
        try await withDaemon(patience: "stall=500 call=1000 firstRetry=100") { server, daemon in
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await playOneLongNote(client)
            await server.suspend()
            try await client.waitForState { $0.audio.status == .lost }
            await server.displace()
            try await server.start()
            try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
            expectNote(in: try await recordNote(server, client), 0)
            let events = try await client.subscribe(to: [.state])
            await server.suspend()
            let asked = ContinuousClock.now
            #expect(await daemon.end(with: SIGTERM) == 0)
            print("ended \(ContinuousClock.now - asked) after SIGTERM, with a server that hangs")
            #expect(await events.hearBye())
        }
    }

    @Test func `it reports why it does not play at a rate, and plays at the next`() async throws {
        try await withDaemon { server, daemon in
            var client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            try await survivingCrashes(of: daemon, server, &client) { client in
                try await server.set("clock.force-rate", to: 384_000)
                try await client.waitForState {
                    $0.audio.status == .lost && $0.audio.reason.hasPrefix("the JACK server runs at 384000 Hz")
                }
                try await server.set("clock.force-rate", to: 44_100)
                try await client.waitForState { $0.audio.status == .running && $0.audio.rate == 44_100 }
            }
        }
    }
}

// MARK: What is heard, and the wiring

extension PipeWireTests {
    /// C4 for all 32 steps of the melody.
    private func playOneLongNote(_ client: PixelBoopClient) async throws {
        try await client.setNote(.melody, step: 0, note: 0, .accent)
        for step in 1..<32 { try await client.setNote(.melody, step: step, note: 0, .sustain) }
        try await client.setTempo(200)
        try await client.play()
    }

    /// Records a second of ports from the note's start: if playback resumes in the middle of a note, that is silent. The
    /// recorder starts when other programs see the ports, which is some time after the daemon has opened a client.
    private func recordNote(
        _ server: PipeWireServer, _ client: PixelBoopClient, on ports: [String] = ["melody"]
    ) async throws -> WaveFile {
        let names = ports.map { "pixelboop:\($0)" }
        return try await server.record(names) {
            try await waitUntil {
                // Nothing comes any more from a daemon that has crashed.
                try await client.ping()
                return try await Set(server.run("jack_lsp").components(separatedBy: "\n")).isSuperset(of: names)
            }
            try await client.waitForStep(0)
        }
    }

    /// Expects the note in most of a second: on a busy machine the server skips periods.
    private func expectNote(in sound: WaveFile, _ channel: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let length = sound.sampleRate / 12
        let samples = sound.channels[channel]
        let stretches = stride(from: 0, to: samples.count - length, by: length).map { samples[$0..<($0 + length)] }
        let tuned = stretches.filter { stretch in
            let tone = Tone(in: stretch, near: 261.626, sampleRate: Double(sound.sampleRate))
            return stretch.contains { $0 > 0.01 } && abs(cents(tone.frequency, above: 261.626)) < 2
        }
        #expect(tuned.count > stretches.count / 2, "channel \(channel)", sourceLocation: sourceLocation)
    }

    /// - Returns: The time from the server's start until a step was heard.
    @discardableResult
    private func restart(
        _ server: PipeWireServer, _ client: PixelBoopClient, with signal: Int32
    ) async throws -> Duration {
        await server.end(with: signal)
        try await client.waitForState { $0.audio.status == .lost && $0.transport.state == .paused }
        try await server.start()
        let started = ContinuousClock.now
        try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
        try await client.waitForStep()
        return .now - started
    }

    /// Changes the connections that the daemon made by itself, and waits until it has stored that.
    private func rewire(_ server: PipeWireServer, _ daemon: DaemonProcess) async throws -> [String: String] {
        try await waitForWiring(["main_L": "Speakers:playback_FL", "main_R": "Speakers:playback_FR"], server)
        try await server.run("jack_disconnect", "pixelboop:main_R", "Speakers:playback_FR")
        try await server.run("jack_connect", "pixelboop:melody", "Speakers:playback_FR")
        let wanted = ["main_L": "Speakers:playback_FL", "melody": "Speakers:playback_FR"]
        try await waitUntil { daemon.rememberedConnections == wanted.mapValues { [$0] } }
        return wanted
    }

    private func waitForWiring(_ wiring: [String: String], _ server: PipeWireServer) async throws {
        try await waitUntil { try await isWired(wiring, server.run("jack_lsp", "-c", "pixelboop")) }
    }

    /// Whether all audio ports exist, with exactly these connections, in a listing of ports with their connections
    /// indented below each.
    private func isWired(_ wiring: [String: String], _ listing: String) -> Bool {
        var (ports, found) = (Set<String>(), [String: String]())
        var port = ""
        for line in listing.split(separator: "\n") {
            if line.hasPrefix(" ") {
                found[port] = line.trimmingCharacters(in: .whitespaces)
            } else {
                port = String(line.dropFirst("pixelboop:".count))
                ports.insert(port)
            }
        }
        return ports.isSuperset(of: Self.ports) && found == wiring
    }
}
