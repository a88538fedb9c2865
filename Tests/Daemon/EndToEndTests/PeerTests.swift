import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestNeeds
import TestSupport
import Testing
import Wire

/// In time with other programs.
@Suite(.timeLimit(.minutes(2))) struct PeerTests {
    /// Runs another program on a JACK server while a test body runs, which may read what the program prints.
    ///
    /// - Parameter farewell: What the program is sent to end it; nil if it ends with SIGTERM.
    private func with(
        _ command: [String], farewell: String? = nil, on server: JackServer,
        _ body: (ChildProgram) async throws -> Void
    ) async throws {
        let program = try ChildProgram(
            URL(filePath: "/usr/bin/env"), command, variables: ["JACK_DEFAULT_SERVER": server.name]
        ).start()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(program)) } catch { outcome = .failure(error) }
        if let farewell {
            program.write(farewell)
            // A killed JACK client keeps its server from ending for a minute, so this is the last resort.
            let killing = Task {
                try await Task.sleep(for: .seconds(5))
                program.send(SIGKILL)
            }
            await program.waitForExit()
            killing.cancel()
        }
        try outcome.get()
    }

    /// Lets JACK's transport roll, and returns when the daemon plays with it.
    private func roll(_ client: PixelBoopClient, on server: JackServer) async throws {
        try await with(["jack_transport"], farewell: "quit", on: server) { tool in
            tool.write("play")
            try await client.waitForState { $0.transport.state == .playing }
        }
    }

    /// Listens to steps at 150 BPM, which have 4800 frames.
    ///
    /// - Returns: How far each step after the first bar is from where the last step puts it, in frames.
    private func errors(_ client: PixelBoopClient, steps count: Int = 48) async throws -> [Int] {
        var frames: [Int] = []
        var last: Int?
        for try await event in try await client.subscribe(to: [.step]) {
            guard case .step(let step) = event else { continue }
            if let last { #expect(step.step == (last + 1) % 32) }
            last = step.step
            frames.append(Int(step.frame))
            if frames.count == count { break }
        }
        let end = (frames.last ?? 0, frames.count - 1)
        return frames.enumerated().dropFirst(16).map { $1 - end.0 + (end.1 - $0) * 4800 }
    }

    private static let soundFont = "/usr/share/sounds/sf2/TimGM6mb.sf2"

    @Test(.needs(.installed("bin/fluidsynth", "share/sounds/sf2/TimGM6mb.sf2")))
    func `fluidsynth plays each note that it is sent at its time`() async throws {
        try await Stage.with(period: 64) { stage in
            let client = try await stage.connect()
            try await client.setTempo(150)
            // Short and dry notes, so that each ends in silence before the next.
            for step in [0, 4, 10, 16, 22, 27] {
                try await client.setNote(.rhythm, step: step, note: Drum.rimshot.rawValue, .accent)
            }
            try await client.set(.rhythm, [.target: "midi"])
            let options = ["-R", "0", "-C", "0", "-r", "48000", "-o", "audio.jack.autoconnect=0"]
            let command = ["fluidsynth", "-a", "jack", "-m", "jack"] + options + [Self.soundFont]
            try await with(command, farewell: "quit", on: stage.server) { _ in
                try await JackTool.waitForPort("fluidsynth-midi:midi_00", on: stage.server)
                let peer = try JackMidiPeer(of: stage.server)
                defer { peer.close() }
                for input in ["peer:in", "fluidsynth-midi:midi_00"] {
                    try peer.connect("pixelboop:midi_out", to: input)
                }
                let recorder = try JackRecorder(["fluidsynth-midi:left"], of: stage.server)
                defer { recorder.close() }
                try await client.play()
                #expect(await recorder.record(frames: 32 * 4800))
                try await client.stop()
                let ons = peer.messages.filter { $0.bytes[0] == 0x99 }.map { Int($0.frame) }
                let onsets = recorder.recording.onsets(channel: 0, afterSilence: 2000).map(Int.init)
                #expect(onsets.count >= 5)
                // It plays with its next block of 64 frames, and the sample itself takes a moment.
                let delays = onsets.map { onset in onset - (ons.last { $0 <= onset } ?? 0) }
                #expect(delays.allSatisfy { (0...384).contains($0) }, "\(delays)")
                #expect((delays.max() ?? 0) - (delays.min() ?? 0) <= 128, "\(delays)")
            }
        }
    }

    @Test(.needs(.installed("bin/klick")))
    func `klick as timebase master is followed within half a millisecond`() async throws {
        try await Stage.with(flags: ["--sync", "jack"]) { stage in
            let client = try await stage.connect()
            try await with(["klick", "-T", "-n", "klick", "4/4", "150"], on: stage.server) { _ in
                try await client.waitForState { $0.sync.bpm == 150 }
                try await roll(client, on: stage.server)
                let errors = try await errors(client)
                #expect(errors.count == 32 && errors.allSatisfy { abs($0) <= 24 })
            }
        }
    }

    @Test(.needs(.installed("bin/jack_midi_clock")))
    func `another program's MIDI clock is followed within a quarter of a millisecond`() async throws {
        try await Stage.with(flags: ["--sync", "midi"]) { stage in
            let client = try await stage.connect()
            try await JackTool.waitForPort("pixelboop:midi_in", on: stage.server)
            try await with(["jack_midi_clock", "-b", "150", "pixelboop:midi_in"], on: stage.server) { _ in
                // It sends a start only if it is there before JACK's transport rolls.
                try await waitUntil {
                    try await JackTool.run("jack_lsp", "-c", "pixelboop:midi_in", on: stage.server)
                        .contains("jack_midi_clock")
                }
                try await roll(client, on: stage.server)
                try await client.waitForState { $0.sync.bpm == 150 }
                let errors = try await errors(client)
                #expect(errors.count == 32 && errors.allSatisfy { abs($0) <= 12 })
            }
        }
    }

    @Test(.needs(.installed("bin/jack_mclk_dump")))
    func `another program reads start, tempo and bar of our MIDI clock`() async throws {
        try await Stage.with(flags: ["--sync", "internal"]) { stage in
            let client = try await stage.connect()
            try await client.setSync([.syncLead: .selection([SyncLead.midi.name])])
            _ = try await client.setTempo(150)
            try await JackTool.waitForPort("pixelboop:clock_out", on: stage.server)
            let dump = ["stdbuf", "-oL", "jack_mclk_dump", "-n", "pixelboop:clock_out"]
            try await with(dump, on: stage.server) { dump in
                // The tempo is known from the second tick on.
                while let line = await dump.line(), !line.contains("150.00[BPM]") {}
                try await client.play()
                while let line = await dump.line(), !line.contains("(0xfa) start") {}
                _ = await dump.line()
                for tick in 1..<48 {
                    let line = try #require(await dump.line())
                    #expect(line.contains("cur:  150.00[BPM]") && line.contains("1|\(tick / 24 + 1)|\(tick % 24 / 6)"))
                }
            }
        }
    }
}
