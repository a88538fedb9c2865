import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// JACK servers that die, and that hang, under a daemon that plays.
///
/// `PIXELBOOP_JACK_KILLS` sets how often the server is killed.
@Suite(.serialized, .timeLimit(.minutes(isLongRun ? 20 : 3))) struct JackOutageTests {
    private static let kills = repetitions("PIXELBOOP_JACK_KILLS", 3, long: 5)

    @Test func `after each death of the server it plays on with its wiring and holds no more than before`() async throws
    {
        try await Stage.with(limit: .seconds(60 + 15 * Self.kills)) { stage in
            let client = try await stage.connect()
            for step in 0..<16 { try await client.setNote(.rhythm, step: 2 * step, note: 7, .accent) }
            let wiring = try await rewire(stage)
            try await client.play()
            // The first time loads what is loaded only once.
            _ = try await killAndRestart(stage, client)
            let process = await stage.daemon.identifier
            let before = ProcessUse(of: process)
            var longest = Duration.zero
            for _ in 1...Self.kills {
                longest = max(longest, try await killAndRestart(stage, client))
                try await waitForWiring(wiring, stage)
            }
            let after = ProcessUse(of: process)
            print("\(Self.kills) kills: played again after at most \(longest); \(before) -> \(after)")
            // In the middle of something there are a few more or fewer, but never one for each server.
            #expect(after.descriptors - before.descriptors < Self.kills)
            #expect(after.threads - before.threads < Self.kills)
            #expect(after.residentKilobytes - before.residentKilobytes < 20 * Self.kills + 4000)
        }
    }

    /// - Returns: The time from when the server accepted clients until a step was heard.
    private func killAndRestart(_ stage: Stage, _ client: PixelBoopClient) async throws -> Duration {
        await stage.server.kill()
        try await client.waitForState { $0.audio.status == .lost && $0.transport.state == .paused }
        try await stage.server.start()
        let started = ContinuousClock.now
        try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
        try await client.waitForStep()
        return .now - started
    }

    /// Changes the connections that the daemon made by itself.
    ///
    /// - Returns: The new connections.
    private func rewire(_ stage: Stage) async throws -> String {
        let first = try await connections(stage)
        #expect(first.contains("pixelboop:main_R\n   system:playback_2"))
        try await JackTool.run("jack_disconnect", "pixelboop:main_R", "system:playback_2", on: stage.server)
        try await JackTool.run("jack_connect", "pixelboop:melody", "system:playback_2", on: stage.server)
        // A connection counts as removed by the user only once that is certain; then the choice is stored.
        let wanted: [String: Set<String>] = ["main_L": ["system:playback_1"], "melody": ["system:playback_2"]]
        try await waitUntil { stage.daemon.rememberedConnections == wanted }
        return try await connections(stage)
    }

    /// JACK reports new connections only to its clients, so this polls until they are there.
    private func waitForWiring(_ wiring: String, _ stage: Stage) async throws {
        try await waitUntil { try await connections(stage) == wiring }
    }

    private func connections(_ stage: Stage) async throws -> String {
        try await JackTool.run("jack_lsp", "-c", on: stage.server)
    }

    /// Before the daemon has noticed, and after.
    @Test(arguments: [false, true])
    func `it ends in order while the server hangs`(isNoticed: Bool) async throws {
        try await Stage.with(isSynchronous: false, environment: DaemonProcess.littlePatience) { stage in
            let client = try await stage.connect()
            try await client.play()
            try await client.waitForStep()
            let events = try await client.subscribe(to: [.state])
            try await client.setTempo(97)
            stage.server.suspend()
            if isNoticed { try await client.waitForState { $0.audio.status == .lost } }
            let asked = ContinuousClock.now
            #expect(await stage.daemon.end(with: SIGTERM) == 0)
            print("ended \(ContinuousClock.now - asked) after SIGTERM, with a server that hangs")
            #expect(await events.hearBye())
            #expect(await stage.daemon.log.contains("JACK did not close the client in time"))
            stage.server.resume()
            try await stage.daemon.start()
            #expect(try await stage.connect().pattern().bpm == 97)
        }
    }
}
