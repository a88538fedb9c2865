import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JSON
import Music
import PixelBoopClient
import ProgramTestSupport
import TestSupport
import Testing
import Wire

/// The daemon without any JACK server.
@Suite(.serialized, .timeLimit(.minutes(1))) struct InternalDriverTests {
    /// The frames of one of the demo's steps.
    private static let stepFrames = 48_000.0 * 15 / 112

    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--driver", "internal"])
    }

    private func player() async throws -> PixelBoopClient {
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        return client
    }

    /// Imports the demo.
    private func loadDemo() async throws {
        let demo = String(decoding: try RepositoryFile("config/demo.json").content, as: UTF8.self)
        #expect(try await Program.run(["import", "-"], socket: daemon.socketPath, input: demo).status == 0)
    }

    @Test func `listeners hear what an export renders, on the frames on which the steps start`() async throws {
        try await untilCalm { isLast in try await listenersHearTheExport(toleratingGaps: !isLast) }
    }

    /// - Parameter toleratingGaps: Whether steps and blocks may be off if periods were skipped or blocks read late.
    /// - Returns: Whether none were.
    private func listenersHearTheExport(toleratingGaps: Bool) async throws -> Bool {
        let directory = try TemporaryDirectory()
        try await daemon.start()
        let player = try await player()
        try await loadDemo()
        let export = try await player.exportWAV(to: directory.file("demo.wav"), rate: 48_000)
        let gaps = try await player.statistics().audio.xruns
        let listening = try await daemon.connect().subscribe(to: [.audio])
        defer { listening.cancel() }
        let hearing = Task {
            var blocks: [AudioEvent] = []
            for try await case .audio(let block) in listening {
                blocks.append(block)
                if blocks.count == 300 { break }
            }
            return blocks
        }
        let steps = try await player.subscribe(to: [.step])
        try await player.play()
        var starts: [StepEvent] = []
        for try await case .step(let step) in steps {
            starts.append(step)
            if starts.count == 33 { break }
        }
        let blocks = try await hearing.value
        let statistics = try await player.statistics()
        let isCalm = statistics.audio.xruns == gaps && statistics.clients.last?.audio?.dropped == 0
        if isCalm || !toleratingGaps {
            expectOnTime(starts)
            try expect(
                blocks, from: starts[0].frame, toSoundLike: directory.read("demo.wav"), of: try #require(export.frames))
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
        return isCalm
    }

    /// Expects the demo's steps where its tempo and swing put them.
    private func expectOnTime(_ starts: [StepEvent]) {
        let first = starts[0].frame
        for (number, start) in starts.enumerated() {
            #expect(start.step == number % 32)
            let delay = number.isMultiple(of: 2) ? 0 : 2 * 0.56 - 1
            let expected = Double(first) + (Double(number) + delay) * Self.stepFrames
            #expect(abs(Double(start.frame) - expected) <= 0.5)
            let seconds = Double(start.frame - first) / 48_000
            #expect(abs(Double(start.usecs) - Double(starts[0].usecs) - seconds * 1e6) <= 2)
        }
    }

    /// Expects what was heard from a frame on to be what was exported.
    private func expect(
        _ blocks: [AudioEvent], from first: Int64, toSoundLike exported: [UInt8], of frames: Int
    ) throws {
        var (heard, next): ([[Float]], Int64?) = ([[], []], nil)
        for block in blocks {
            #expect(next == nil || block.frame == next, "a block is missing")
            next = block.frame + 960
            let samples = block.pcm?.samples16 ?? [Int16](repeating: 0, count: 1920)
            for frame in min(960, max(0, Int(first - block.frame)))..<960 {
                for channel in 0...1 { heard[channel].append(Float(samples[2 * frame + channel])) }
            }
        }
        // After that the export rings out, but the music continues.
        let loop = Int(32 * Self.stepFrames)
        #expect(frames >= loop)
        let rendered = try WaveFile(reading: exported)
        for channel in 0...1 {
            let differences = zip(heard[channel], rendered.channels[channel]).prefix(loop)
                .map { abs($0 - $1 * 32_768) }
            #expect(differences.count == loop)
            #expect(differences.max()! <= 1.51)
        }
        #expect(heard[0].map(abs).max()! > 3000)
    }

    @Test func `a client that does not read misses the oldest blocks and then gets the current ones`() async throws {
        try await untilCalm { isLast in try await lateReadersMissTheOldest(toleratingGaps: !isLast) }
    }

    /// - Parameter toleratingGaps: Whether blocks may be missing if periods were skipped or blocks read late.
    /// - Returns: Whether none were.
    private func lateReadersMissTheOldest(toleratingGaps: Bool) async throws -> Bool {
        try await daemon.start()
        let player = try await player()
        try await loadDemo()
        let gaps = try await player.statistics().audio.xruns
        try await player.play()
        let slow = try RawClient(path: daemon.socketPath)
        try slow.send(#"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["audio"]},"id":1}"#)
        try await waitUntil { try await player.statistics().clients.last?.audio?.dropped ?? 0 >= 25 }
        var blocks: [AudioEvent] = []
        while blocks.count < 60, let line = await slow.line() {
            let messages = try DaemonMessage.messages(parsing: line.utf8)
            for case .notification(.message(let block as AudioEvent)) in messages { blocks.append(block) }
        }
        let statistics = try await player.statistics()
        #expect(blocks.allSatisfy { $0.pcm == nil || $0.pcm?.count == 3840 })
        #expect((statistics.clients.last?.audio?.dropped ?? 0) >= 25)
        let leaps = zip(blocks, blocks.dropFirst()).map { $1.frame - $0.frame }
        let missed = leaps.first { $0 > 960 }.map { Int($0 / 960) - 1 }
        let isCalm = statistics.audio.xruns == gaps && statistics.clients.last?.audio?.dropped == missed
        if isCalm || !toleratingGaps {
            #expect(leaps.allSatisfy { $0.isMultiple(of: 960) && $0 > 0 })
            let first = try #require(leaps.firstIndex { $0 > 960 })
            #expect(first < 10)
            #expect(leaps[first] >= 20 * 960)
            #expect(leaps.suffix(40).allSatisfy { $0 == 960 })
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
        return isCalm
    }

    @Test func `launches and timelines are as with JACK, and what needs JACK is left out`() async throws {
        try await daemon.start()
        let player = try await player()
        #expect(
            try await player.state().state.audio
                == AudioState(driver: .own, status: .running, rate: 48_000, period: 256))
        #expect(try await player.statistics().audio.state.driver == .own)
        #expect(try await player.midiPorts().isEmpty)
        let times = try await player.clockTimes()
        #expect(times.jack == times.monotonic)
        for options in [["jack"], ["--lead", "jack"]] {
            #expect(try await Program.run(["sync"] + options, socket: daemon.socketPath).status == 0)
        }
        let state = try await player.state().state
        #expect(state.settings[.syncSource] == .choice(SyncSource.jack))
        #expect(state.sync.following == .own && state.sync.leading.isEmpty)

        try await player.set(.length, to: 8)
        try await player.setTempo(300)
        let events = try await player.subscribe(to: [.launch, .step])
        try await player.play()
        try await player.launchScene(3)
        var (launches, starts): ([LaunchEvent], [StepEvent]) = ([], [])
        for try await event in events {
            if case .launch(let launch) = event { launches.append(launch) }
            if case .step(let step) = event, step.step == 0 { starts.append(step) }
            if launches.count == 4, starts.contains(where: { $0.frame == launches[0].frame }) { break }
        }
        #expect(launches.allSatisfy { $0.frame == launches[0].frame && $0.slot == 3 })
        try await player.stop()

        #expect(try await Program.run(["sync", "timeline"], socket: daemon.socketPath).status == 0)
        let now = try await player.clockTimes().jack
        try await player.holdTimeline(beat: 0, usecs: now, bpm: 150, isPlaying: true)
        try await player.waitForState { $0.sync.following == .timeline && $0.sync.bpm == 150 && $0.sync.locked }
        for try await case .step(let step) in try await player.subscribe(to: [.step]) {
            guard step.step == 0, Int(step.usecs) > now else { continue }
            // Four beats at 150 BPM are eight steps twice.
            let beats = Double(Int(step.usecs) - now) / 1e6 * 150 / 60
            guard beats > 8 else { continue }
            #expect(abs(beats / 2 - (beats / 2).rounded()) < 0.01)
            break
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a daemon that was suspended continues from the current time, and counts that`() async throws {
        try await daemon.start()
        let player = try await player()
        let steps = try await player.subscribe(to: [.step])
        try await player.play()
        var iterator = steps.makeAsyncIterator()
        func nextStep() async throws -> StepEvent {
            while let event = try await iterator.next() { if case .step(let step) = event { return step } }
            throw ClientError.connectionLost(reason: "no step started")
        }
        let first = try await nextStep()
        await daemon.suspend()
        try await Task.sleep(for: .milliseconds(400))
        await daemon.resume()
        try await waitUntil { try await player.statistics().audio.xruns > 0 }
        for _ in 0..<8 {
            let step = try await nextStep()
            let seconds = Double(step.frame - first.frame) / 48_000
            #expect(abs(Double(step.usecs) - Double(first.usecs) - seconds * 1e6) <= 2)
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `with another driver the session continues, and a daemon that finds no server suggests this one`()
        async throws
    {
        try await daemon.start()
        let player = try await player()
        try await player.setNote(.bass, step: 3, note: 5, .accent)
        try await player.setTempo(97)
        let pattern = try await player.pattern()
        #expect(await daemon.end(with: SIGTERM) == 0)

        let onJack = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--state-dir", daemon.stateDirectory.path])
        try await onJack.start()
        #expect(await onJack.says("--driver internal plays without JACK"))
        let client = try await onJack.connect()
        try await client.waitForState { $0.audio.status == .noServer }
        let audio = try await client.state().state.audio
        #expect(audio.driver == .jack && audio.reason.hasSuffix("; pixelboopd --driver internal plays without JACK"))
        let refusal = await #expect(throws: ClientError.self) { try await client.play() }
        #expect(refusal.map { "\($0)".contains("--driver internal") } == true)
        #expect(try await client.pattern() == pattern)
        #expect(await onJack.end(with: SIGTERM) == 0)

        try await daemon.start()
        let again = try await self.player()
        #expect(try await again.pattern() == pattern)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `rate and period are as configured, and others are refused`() async throws {
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--driver", "internal", "--rate", "44100", "--period", "64"])
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.rate == 44_100 && $0.audio.period == 64 }
        let listening = try await daemon.connect().subscribe(to: [.audio])
        for try await case .audio(let block) in listening {
            #expect(block.rate == 44_100 && block.pcm == nil)
            break
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
        for flags in [["--driver", "pipewire"], ["--rate", "7999"], ["--period", "15"], ["--period", "x"]] {
            let outcome = try await Program.run(
                DaemonProcess.executable, ["--check-config"] + flags, environment: ["HOME": "/nowhere"])
            #expect(outcome.status != 0 && outcome.complaint.contains(flags[0]))
        }
    }
}
