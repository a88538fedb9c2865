import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing

/// The daemon is killed at random moments while clients edit; the session that it then finds existed at most 100 ms
/// before.
///
/// `PIXELBOOP_KILLS` sets how often, and `PIXELBOOP_KILLS_IN` on which disk. In memory by default: the system keeps
/// what a killed process has written anyway, so that a disk would only add its own delays.
@Suite(.serialized, .timeLimit(.minutes(isLongRun ? 60 : 3))) struct CrashTests {
    private static let kills = repetitions("PIXELBOOP_KILLS", 4, long: 25)
    private static let disk = URL(
        filePath: ProcessInfo.processInfo.environment["PIXELBOOP_KILLS_IN"] ?? "/dev/shm")
    /// How old a lost edit may be.
    private static let limit = Duration.milliseconds(100)

    @Test func `what is found after a kill existed at most 100 ms before`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", in: Self.disk)
        try await daemon.start()
        try await killAndCompare(daemon, times: Self.kills, seed: 23, Editor.allCases) { _ in }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a daemon that is killed while playing has its ports back when it is started again`() async throws {
        let kills = max(3, Self.kills / 5)
        try await JackServer.with(isSynchronous: false, limit: .seconds(60 + 10 * kills)) { server in
            let daemon = try DaemonProcess(jackServer: server.name, in: Self.disk)
            try await daemon.start()
            let first = try await daemon.connect()
            try await first.waitForState { $0.audio.status == .running }
            try await first.play()
            try await killAndCompare(daemon, times: kills, seed: 24, Editor.prompt) { client in
                try await client.waitForState { $0.audio.status == .running }
                let ports = try await JackTool.run("jack_lsp", on: server).split(separator: "\n")
                #expect(ports.contains("pixelboop:main_L"), "\(ports)")
                try await client.play()
            }
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }

    /// Kills and restarts the daemon repeatedly while the editors edit and launch slots.
    ///
    /// - Parameter resume: Called after each restart.
    private func killAndCompare(
        _ daemon: DaemonProcess, times: Int, seed: UInt64, _ editors: [Editor],
        resume: (PixelBoopClient) async throws -> Void
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        var oldest = Duration.zero
        var answered = 0
        for _ in 1...times {
            let lifetime = Duration.milliseconds(Int.random(in: 20...400, using: &generator))
            let (history, killed) = try await edit(
                daemon, editors, for: lifetime, seed: generator.next())
            try await daemon.start()
            let client = try await daemon.connect()
            if let lost = try history.expectThatExisted(try await client.pattern()) {
                let age = history.age(ofEditAnswered: lost, at: killed)
                #expect(age <= Self.limit)
                oldest = max(oldest, age)
            }
            #expect(try await client.state().state.transport.state == .stopped)
            #expect(try await client.state().state.storage.status == .running)
            answered += history.answeredCount
            try await resume(client)
        }
        print("\(times) kills, \(answered) answered edits: the oldest lost edit was \(oldest) old")
    }

    /// Lets all clients edit for a while and kills the daemon in the middle of it.
    private func edit(
        _ daemon: DaemonProcess, _ editors: [Editor], for lifetime: Duration, seed: UInt64
    ) async throws -> (history: EditHistory, killed: ContinuousClock.Instant) {
        let before = try await daemon.connect().pattern()
        return try await withThrowingTaskGroup(of: (Editor, [Editor.Edit]).self) { group in
            for (index, editor) in editors.enumerated() {
                let client = try await daemon.connect()
                group.addTask {
                    let number = editor.number(in: before)
                    return (editor, await editor.edit(client, after: number, seed: seed &+ UInt64(index)))
                }
            }
            try await Task.sleep(for: lifetime)
            let killed = ContinuousClock.now
            #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
            let edits = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return (EditHistory(before: before, edits: edits), killed)
        }
    }
}
