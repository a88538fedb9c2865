import DaemonTestSupport
import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// The daemon's beginnings and ends.
@Suite(.timeLimit(.minutes(5))) struct LifecycleTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends it in order and clients hear bye`(signal: Int32) async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            let events = try await client.subscribe(to: [.state])
            let daemon = stage.daemon
            async let status = daemon.end(with: signal)
            var reasons: [String] = []
            do {
                for try await event in events { if case .bye(let bye) = event { reasons.append(bye.reason) } }
            } catch ClientError.connectionLost {}
            #expect(reasons.count == 1)
            #expect(await status == 0)
            try await stage.daemon.start()
        }
    }

    @Test func `what was tapped is there after a restart`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await client.tap(column: 4, row: 7)
            try await client.setTempo(97.25)
            #expect(await stage.daemon.end(with: SIGTERM) == 0)

            try await stage.daemon.start()
            let again = try await stage.connect()
            let state = try await again.state().state
            #expect(state.bpm == 97.25)
            #expect(state.history.undo == 1)
            #expect(state.transport.state == .stopped)
        }
    }

    @Test func `a second daemon on the same socket refuses to start`() async throws {
        try await Stage.with { stage in
            let (code, _, said) = try await ChildProgram(
                DaemonProcess.executable,
                ["--socket", stage.daemon.socketPath, "--state-dir", stage.daemon.directory.path]
            ).run()
            #expect(code != 0)
            #expect(said.contains(stage.daemon.socketPath))
            _ = try await stage.connect()
        }
    }

    @Test func `it plays on when the server dies and comes back`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await client.play()
            await stage.server.kill()
            try await client.waitForState { $0.audio.status == .lost }
            #expect(try await client.state().state.transport.state == .paused)
            try await stage.server.start()
            try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
            try await client.waitForStep()
        }
    }

    @Test func `without a server it edits and shows and says why it is silent`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .noServer && !$0.audio.reason.isEmpty }
        try await client.tap(column: 4, row: 7)
        #expect(try await client.frame().frame[4, 7] == .init(0xff0000))
        await #expect(throws: ClientError.self) { try await client.play() }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
