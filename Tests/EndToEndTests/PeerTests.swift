import DaemonTestSupport
import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import Testing
import Wire

/// In time with programs that others wrote.
@Suite(.timeLimit(.minutes(2))) struct PeerTests {
    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    /// Runs another program on a JACK server while a test body runs, which may read what the program prints.
    private func with(
        _ command: [String], on server: JackServer, reading output: Pipe? = nil, _ body: () async throws -> Void
    ) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(["JACK_DEFAULT_SERVER": server.name]) { $1 }
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { process.terminate() }
        try await body()
    }

    /// Lets JACK's transport roll. The tool ends with its input, and has to have done what it was told by then.
    private func roll(on server: JackServer) async throws {
        try await JackTool.run(
            "sh", "-c", "{ echo play; sleep 0.3; } | exec jack_transport >/dev/null 2>&1", on: server)
    }

    /// Listens to steps at 150 BPM, which have 4800 frames.
    ///
    /// - Returns: How far each but the first bar's is from where the last puts it, in frames.
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

    @Test(.enabled(if: isInstalled("klick"), "klick is not installed"))
    func `klick as timebase master is followed within half a millisecond`() async throws {
        try await Stage.with(flags: ["--sync", "jack"]) { stage in
            let client = try await stage.connect()
            try await with(["klick", "-T", "-n", "klick", "4/4", "150"], on: stage.server) {
                try await client.waitForState { $0.sync.bpm == 150 }
                try await roll(on: stage.server)
                try await client.waitForState { $0.transport.state == .playing }
                let errors = try await errors(client)
                #expect(errors.count == 32 && errors.allSatisfy { abs($0) <= 24 })
            }
        }
    }

    @Test(.enabled(if: isInstalled("jack_midi_clock"), "jack-midi-clock is not installed"))
    func `another program's MIDI clock is followed within a quarter of a millisecond`() async throws {
        try await Stage.with(flags: ["--sync", "midi"]) { stage in
            let client = try await stage.connect()
            try await with(["jack_midi_clock", "-b", "150", "pixelboop:midi_in"], on: stage.server) {
                // It tells a start only if it is there before JACK's transport rolls.
                while try await !JackTool.run("jack_lsp", "-c", "pixelboop:midi_in", on: stage.server)
                    .contains("jack_midi_clock")
                {
                    try await Task.sleep(for: .milliseconds(50))
                }
                try await roll(on: stage.server)
                try await client.waitForState { $0.transport.state == .playing && $0.sync.bpm == 150 }
                let errors = try await errors(client)
                #expect(errors.count == 32 && errors.allSatisfy { abs($0) <= 12 })
            }
        }
    }

    @Test(.enabled(if: isInstalled("jack_mclk_dump"), "jack-midi-clock is not installed"))
    func `another program reads start, tempo and bar of our MIDI clock`() async throws {
        try await Stage.with(flags: ["--sync", "internal"]) { stage in
            let client = try await stage.connect()
            try await client.setSync([.syncLead: .selection([SyncLead.midi.name])])
            _ = try await client.setTempo(150)
            let output = Pipe()
            let dump = ["stdbuf", "-oL", "jack_mclk_dump", "-n", "pixelboop:clock_out"]
            try await with(dump, on: stage.server, reading: output) {
                let lines = LineReader(output.fileHandleForReading)
                // The tempo is known from the second tick on.
                while let line = await lines.next(), !line.contains("150.00[BPM]") {}
                try await client.play()
                while let line = await lines.next(), !line.contains("(0xfa) start") {}
                _ = await lines.next()
                for tick in 1..<48 {
                    let line = try #require(await lines.next())
                    #expect(line.contains("cur:  150.00[BPM]") && line.contains("1|\(tick / 24 + 1)|\(tick % 24 / 6)"))
                }
            }
        }
    }
}
