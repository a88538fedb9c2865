import DaemonTestSupport
import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// Kits of samples, from the files to what is heard.
@Suite(.timeLimit(.minutes(1))) struct KitTests {
    /// Puts a file into a kit's folder.
    private func put(_ data: Data, as file: String, in kit: String = "Dust", of daemon: DaemonProcess) throws {
        let folder = daemon.directory.appending(path: "data/kits/\(kit)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appending(path: file))
    }

    /// A kick on every second step, five times a second.
    private var kicks: Pattern {
        var pattern = Pattern()
        pattern.bpm = 150
        for step in stride(from: 0, to: 32, by: 2) { pattern[.rhythm, Drum.kick.rawValue, step] = .accent }
        return pattern
    }

    /// The frequency in Hz, by zero crossings, of the first 20 ms of a hit that was recorded from its start.
    private func pitch(of samples: [Float]) throws -> Double {
        let silence = try #require(
            samples.indices.first { samples[$0..<min($0 + 480, samples.count)].allSatisfy { abs($0) < 1e-3 } })
        let onset = try #require(samples[silence...].firstIndex { abs($0) > 0.1 })
        let stretch = samples[onset..<onset + 960]
        let crossings = zip(stretch, stretch.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        return Double(crossings) / 2 / 0.02
    }

    @Test func `a kit that is put into the folder is listed and heard, and a missing one is kept`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            try put(WaveFile.bytes(WaveFile.sine(1000, frames: 4800)), as: "kick.wav", of: stage.daemon)
            try put(Data("no sound".utf8), as: "snare.wav", of: stage.daemon)
            await #expect(throws: ClientError.self) { try await client.set(.rhythm, [.kit: "Dust"]) }
            let kits = try await client.kits(reloading: true)
            #expect(kits.map(\.name) == Track.rhythm.soundNames + ["Dust"])
            let reason = try #require(kits.last?.refused.first?.reason)
            #expect(kits.last?.samples == ["kick"] && reason.hasPrefix("expected a sound file: "))
            #expect(try await client.state().state.kits == kits.map(\.name))

            try await client.setPattern(kicks)
            try await client.set(.rhythm, [.kit: "Dust"])
            #expect(await stage.daemon.says("kit Dust: snare.wav: \(reason)"))
            let recorder = try JackRecorder(["pixelboop:rhythm"], of: stage.server)
            defer { recorder.close() }
            try await client.play()
            // The callback is given the kit right after this message.
            try await client.waitForStep(8)
            #expect(await recorder.record(frames: 48_000))
            let heard = recorder.recording.channels[0]
            #expect(abs(heard.peak - 0.45) < 0.02)
            #expect(try abs(pitch(of: heard) - 1000) < 60)
            try await client.stop()
        }
    }

    @Test func `kits reloaded while they play leak no memory`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            // 1.9 MB at JACK's rate.
            for (index, kit) in ["Dust", "Rust"].enumerated() {
                try put(
                    WaveFile.bytes(WaveFile.sine(400 + 100 * Double(index), frames: 480_000)), as: "kick.wav", in: kit,
                    of: stage.daemon)
            }
            _ = try await client.kits(reloading: true)
            try await client.setPattern(kicks)
            try await client.play()
            var before = 0
            for round in 0..<60 {
                try await client.set(.rhythm, [.kit: round.isMultiple(of: 2) ? "Dust" : "Rust"])
                _ = try await client.kits(reloading: true)
                if round == 9 { before = try await client.statistics().memory }
            }
            #expect(try await client.statistics().memory < before + 24 << 20)
            try await client.set(.rhythm, [.kit: "808"])
            try await client.stop()
        }
    }

    @Test func `a session whose kit is gone starts, reports that and plays`() async throws {
        try await JackServer.with(period: 256) { server in
            let daemon = try DaemonProcess(jackServer: server.name)
            try put(WaveFile.bytes(WaveFile.sine(1000, frames: 4800)), as: "kick.wav", of: daemon)
            try await daemon.start()
            let client = try await daemon.connect()
            try await client.waitForState { $0.kits.contains("Dust") }
            try await client.set(.rhythm, [.kit: "Dust"])
            #expect(await daemon.end(with: SIGTERM) == 0)
            try FileManager.default.removeItem(at: daemon.directory.appending(path: "data/kits"))
            try await daemon.start()
            #expect(await daemon.says("kit Dust: there are no samples; its drums use the 808 sounds"))
            let again = try await daemon.connect()
            let state = try await again.state().state
            #expect(state[.rhythm].values[.kit] == "Dust" && state.kits == Track.rhythm.soundNames)
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }

    @Test func `the end does not wait for a kit that is being loaded`() async throws {
        let library = try HangingResampler()
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--driver", "internal"], environment: ["LD_PRELOAD": library.path])
        // At another rate than the driver's.
        try put(WaveFile.bytes(WaveFile.sine(1000, frames: 4410), sampleRate: 44_100), as: "kick.wav", of: daemon)
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.kits.contains("Dust") }
        try await client.set(.rhythm, [.kit: "Dust"])
        #expect(await daemon.says("resampling"))
        try await client.setTempo(97)
        #expect(await daemon.end(with: SIGTERM) == 0)
        try await daemon.start()
        #expect(try await daemon.connect().pattern().bpm == 97)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}

/// A library in place of the function that resamples, which says so and never returns.
private final class HangingResampler: Sendable {
    let path: String
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let source = """
            #include <unistd.h>
            int src_simple(void *data, int converter, int channels) {
                if (write(2, "resampling\\n", 11)) {}
                for (;;) pause();
            }
            """
        path = directory.file("hanging.so")
        try directory.write(source, to: "hanging.c")
        try #require(ChildProgram.succeeds(["clang", "-shared", "-fPIC", "-o", path, directory.file("hanging.c")]))
    }
}
