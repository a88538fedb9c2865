import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing

/// What performers hear and see when a JACK server dies, hangs or is slow.
@Suite(.timeLimit(.minutes(1))) struct ServerTroubleTests {
    /// A performer sees the step that he hears: the card's latency is included.
    @Test func `a step is shown when it leaves the speakers`() async throws {
        try await Stage.with(period: 4096) { stage in
            let client = try await stage.connect()
            let listing = try await JackTool.run("jack_lsp", "-l", "system:playback_1", on: stage.server)
            let line = try #require(listing.split(separator: "\n").first { $0.contains("playback latency") })
            let frames = try #require(line.split(separator: " ").compactMap { Int64($0) }.first)
            let steps = try await client.subscribe(to: [.step])
            try await client.play()
            // jackd reads a clock without NTP's corrections.
            let times = try await client.clockTimes()
            var delays: [Int64] = []
            for try await event in steps {
                guard case .step(let step) = event else { continue }
                var now = timespec()
                clock_gettime(CLOCK_MONOTONIC_RAW, &now)
                let seen =
                    Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000 + Int64(times.jack - times.monotonicRaw)
                delays.append(seen - Int64(step.usecs) - frames * 1_000_000 / 48000)
                if delays.count == 16 { break }
            }
            print("\(frames) frames of latency; µs from when steps are heard until they are seen: \(delays)")
            // A step may be shown a millisecond early, and the two clocks drift apart between comparisons.
            #expect(delays.allSatisfy { $0 >= -2000 })
        }
    }

    @Test func `after a dead server the first step is heard from its start`() async throws {
        try await JackServer.with { server in
            let daemon = try DaemonProcess(jackServer: server.name)
            try FileManager.default.createDirectory(at: daemon.stateDirectory, withIntermediateDirectories: true)
            try Data(#"{"melody": ["recorder:in_1"]}"#.utf8)
                .write(to: daemon.stateDirectory.appending(path: "connections.json"))
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.audio.status == .running }
            for step in 0..<32 { try await client.setNote(.melody, step: step, note: 4, .normal) }
            try await client.play()
            await server.kill()
            try await client.waitForState { $0.audio.status == .lost }
            let steps = try await client.subscribe(to: [.step])

            // The listener is there before the daemon is.
            await daemon.suspend()
            try await server.start()
            let recorder = try JackRecorder(inputs: 1, of: server)
            defer { recorder.close() }
            await daemon.resume()
            let first = try await firstFrame(of: steps)
            #expect(await recorder.record(frames: 24000))

            let recording = recorder.recording
            let samples = recording.channels[0]
            let onset = try #require(recording.onset(channel: 0))
            #expect(recording.frame(ofSample: onset) == first)
            #expect(samples[..<(onset + 3000)].steepestStep <= samples[(onset + 12000)...].steepestStep + 0.002)
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }

    private func firstFrame(of steps: Subscription) async throws -> UInt32 {
        for try await event in steps {
            if case .step(let step) = event { return UInt32(truncatingIfNeeded: step.frame) }
        }
        throw ClientError.connectionLost(reason: "no step started")
    }

    @Test func `while a server hangs clients edit and see`() async throws {
        try await Stage.with(environment: DaemonProcess.littlePatience) { stage in
            let client = try await stage.connect()
            try await client.play()
            stage.server.suspend()
            for column in 4..<12 { #expect(try await client.tap(column: column, row: 7).gesture == "tap") }
            try await client.waitForState { $0.audio.status == .lost && $0.transport.state == .paused }
            for column in 13..<21 { #expect(try await client.tap(column: column, row: 7).gesture == "tap") }
            #expect(try await client.pattern().cells.count == 16)
            stage.server.resume()
            try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
            try await client.waitForStep()
        }
    }

    /// A daemon that is stalled, as by a debugger or on a machine that swaps, may be removed by the server.
    @Test func `a daemon that was stalled plays on`() async throws {
        try await Stage.with(environment: DaemonProcess.littlePatience) { stage in
            let client = try await stage.connect()
            for step in 0..<8 { try await client.setNote(.rhythm, step: 4 * step, note: 7, .accent) }
            try await client.play()
            await stage.daemon.suspend()
            // Other clients come and go meanwhile; the server tries to notify the daemon of each, for 5 s.
            for _ in 0..<2 { _ = try? await JackTool.run("jack_lsp", on: stage.server) }
            await stage.daemon.resume()
            try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            #expect(await recorder.hear(channel: 0))
        }
    }
}
