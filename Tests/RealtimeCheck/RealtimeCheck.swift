import Engine
import Foundation
import JackAudio
import JackTestSupport
import TestSupport

/// Plays everything that the driver and the engine can do, on a server of its own.
///
/// Built with RealtimeSanitizer by `scripts/check-rt`, it aborts at the first call in the process callback that may block.
/// Random choices come from a seed, the only argument.
@main
struct RealtimeCheck {
    private let server: JackServer
    private let engine: Engine
    private let supervisor: JackSupervisor
    private var generator: SeededGenerator

    static func main() async throws {
        let seed = CommandLine.arguments.dropFirst().first.flatMap(UInt64.init) ?? 1
        do {
            try await JackServer.with(period: 64, limit: .seconds(300)) { server in
                try await run(on: server, seed: seed)
            }
        } catch {
            say("the check could not be played: \(error)")
            exit(1)
        }
    }

    private static func run(on server: JackServer, seed: UInt64) async throws {
        let engine = Engine(score: Score())
        let supervisor = try JackSupervisor(
            engine: engine, configuration: JackConfiguration(serverName: server.name))
        let running = Task { try await supervisor.run() }
        var check = RealtimeCheck(
            server: server, engine: engine, supervisor: supervisor, generator: SeededGenerator(seed: seed))
        do {
            try await check.playEverything()
        } catch {
            await supervisor.stop()
            throw error
        }
        _ = engine.send(.silence)
        await supervisor.stop()
        try await running.value
        let statistics = supervisor.statistics
        say("\(statistics.cycles) cycles, worst \(statistics.worstCallback) µs, \(statistics.xruns) xruns")
    }

    private mutating func playEverything() async throws {
        var events = supervisor.events.makeAsyncIterator()
        try await wait(for: .running, &events)
        try await announce("every note at once, nobody taking notices") { try await $0.playAllNotes() }
        try await announce("edits, tempo sweeps, mutes, commands") { try await $0.editWildly(seconds: 6) }
        try await announce("periods from 16 to 8192, other clients coming and going") { try await $0.changePeriods() }
        try await announce("freewheel") { try await $0.freewheel() }
        say("a killed server, then other rates")
        for rate in [44100, 192_000] {
            await server.kill()
            try await wait(for: .lost, &events)
            server.sampleRate = rate
            try await server.start()
            try await wait(for: .running, &events)
            try await editWildly(seconds: 1)
        }
    }

    private mutating func announce(_ name: String, _ part: (inout RealtimeCheck) async throws -> Void) async throws {
        say(name)
        try await part(&self)
    }

    private func wait(
        for state: JackStatus.State, _ events: inout AsyncStream<JackEvent>.Iterator
    ) async throws {
        while let event = await events.next(isolation: #isolation) {
            if case .status(let status) = event, status.state == state { return }
        }
        throw CancellationError()
    }
}

// MARK: What is played

extension RealtimeCheck {
    private mutating func playAllNotes() async throws {
        var score = Score(length: 8, bpm: 300, swing: 0.75)
        for index in 0..<128 {
            // Heads on even steps, sustained on odd ones: every voice starts, and every voice lasts.
            score.cells[index] = index % 2 == 0 ? 0x00aa_aaaa : 0x00ff_ffff
        }
        engine.publish(score)
        _ = engine.send(.play)
        try await record(seconds: 3)
    }

    private mutating func editWildly(seconds: Double) async throws {
        let recorder = try JackRecorder(["pixelboop:main_L"], of: server, seconds: seconds + 1)
        defer { recorder.close() }
        let frames = Int(seconds * Double(recorder.recording.sampleRate))
        for _ in 0..<(frames / 256) {
            engine.publish(randomScore())
            for _ in 0..<Int.random(in: 0...6, using: &generator) { _ = engine.send(randomCommand()) }
            while Bool.random(using: &generator), engine.nextNotice() != nil {}
            guard await recorder.record(frames: 256) else { throw JackRecorder.Failure.refused }
        }
    }

    private mutating func changePeriods() async throws {
        for period in [16, 8192, 32, 4096, 64] {
            try await JackTool.run("jack_bufsize", "\(period)", on: server)
            for port in ["main_R", "melody", "chords", "bass", "rhythm"] {
                engine.publish(randomScore())
                _ = engine.send(.play)
                try await record(seconds: 0.1, port: port)
            }
        }
    }

    private mutating func freewheel() async throws {
        let recorder = try JackRecorder(["pixelboop:main_L"], of: server)
        defer { recorder.close() }
        engine.publish(randomScore())
        try recorder.setFreewheel(true)
        guard await recorder.record(frames: 240_000) else { throw JackRecorder.Failure.refused }
        try recorder.setFreewheel(false)
    }

    private func record(seconds: Double, port: String = "main_L") async throws {
        let recorder = try JackRecorder(["pixelboop:\(port)"], of: server)
        defer { recorder.close() }
        let frames = Int(seconds * Double(recorder.recording.sampleRate))
        guard await recorder.record(frames: frames) else { throw JackRecorder.Failure.refused }
    }

    private mutating func randomScore() -> Score {
        var score = Score(
            length: Int32.random(in: 8...32, using: &generator), bpm: Double.random(in: 20...300, using: &generator),
            swing: Double.random(in: 0.5...0.75, using: &generator))
        for index in 0..<128 {
            score.cells[index] = UInt32.random(in: 0...0x00ff_ffff, using: &generator)
        }
        for track in 0..<4 {
            score.tracks[track] = Score.TrackScore(
                isSilent: Int.random(in: 0..<4, using: &generator) == 0,
                gain: Float.random(in: 0...4, using: &generator), left: Float.random(in: 0...1, using: &generator),
                right: Float.random(in: 0...1, using: &generator))
        }
        return score
    }

    private mutating func randomCommand() -> RtCommand {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: .pause
        case 1: .stop
        case 2: .silence
        case 3: .locate(step: Int32.random(in: 0..<32, using: &generator))
        case 4, 5: randomAudition()
        default: .play
        }
    }

    private mutating func randomAudition() -> RtCommand {
        .audition(
            track: Int32.random(in: 0..<4, using: &generator), notes: UInt16.random(in: 0..<4096, using: &generator),
            velocity: UInt8.random(in: 1...2, using: &generator))
    }
}

/// Prints a line at once, so that the part in which a violation is found has been named.
private func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
