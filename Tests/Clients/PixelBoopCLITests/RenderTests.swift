import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import pixelboop

/// Rendering without daemon or JACK.
@Suite(.timeLimit(.minutes(1)))
struct RenderTests {
    private let directory: TemporaryDirectory
    private let pattern =
        """
        {"version": 1, "bpm": 120, "length": 8, "tracks": {
            "melody": {"notes": [{"col": 4, "pitch": 69, "velocity": "accent"}]},
            "rhythm": {"notes": [{"col": 4, "pitch": 36, "velocity": "normal"}]}}}
        """

    init() throws { directory = try TemporaryDirectory() }

    private var folder: URL { URL(filePath: directory.path) }

    private func wave(_ file: URL) throws -> WaveFile { try WaveFile(reading: Array(Data(contentsOf: file))) }

    @Test func `scenes are played one after the other, as the daemon would chain them`() async throws {
        func samples(_ options: [String]) async throws -> [UInt8] {
            let (outcome, sound) = try await render(options + ["--rate", "8000"], to: "\(options.joined()).wav")
            #expect(outcome.status == 0)
            return Array(try wave(sound).data)
        }
        let twice = try await samples(["--loops", "2"])
        #expect(try await samples(["--scenes", "1,1"]) == twice)
        // A loop has 8000 frames of 6 bytes; in the empty scene the first one dies away, then it plays again.
        let once = try await samples(["--loops", "1"])
        let loop = 8000 * 6
        let apart = try await samples(["--scenes", "1,2,1"])
        #expect(apart.count > 2 * loop && apart.prefix(loop) == once.prefix(loop))
        #expect(apart[loop..<loop + 600] != twice[loop..<loop + 600])
        let empty = try await samples(["--scenes", "2"])
        #expect(empty.count >= loop && empty.allSatisfy { $0 == 0 })
        #expect(try await render(["--scenes", "1,9"], to: "no.wav").0.status == 2)
    }

    @Test func `a render begins with the early notes of its first step, and ends without those of another loop`()
        async throws
    {
        func samples(nudge: Int, loops: Int) async throws -> ArraySlice<UInt8> {
            let sound = folder.appendingPathComponent("\(nudge) \(loops).wav")
            let pattern = """
                {"version": 1, "bpm": 120, "length": 8, "tracks": {
                    "bass": {"notes": [{"col": 4, "pitch": 40, "velocity": "accent", "nudge": \(nudge)}]}}}
                """
            let outcome = try await Program.run(
                ["render", "--loops", "\(loops)", "-", sound.path], socket: "/nowhere", input: pattern)
            #expect(outcome.status == 0)
            return try wave(sound).data
        }
        let plain = try await samples(nudge: 0, loops: 1)
        #expect(plain.contains { $0 != 0 })
        #expect(try await samples(nudge: -50, loops: 1) == plain)
        #expect(try await samples(nudge: -50, loops: 2) != samples(nudge: 0, loops: 2))
    }

    private func render(
        _ options: [String], to name: String, kit: String? = nil, environment: [String: String] = [:]
    ) async throws -> (Program.Outcome, URL) {
        let sounds = kit.map { #""sounds": {"rhythm": {"kit": "\#($0)"}}, "# } ?? ""
        let pattern = pattern.replacing(#""tracks""#, with: sounds + #""tracks""#)
        let sound = folder.appendingPathComponent(name)
        let outcome = try await Program.run(
            Program.url, ["render"] + options + ["-", sound.path], environment: environment, input: pattern)
        return (outcome, sound)
    }

    @Test func `a WAV is stereo, 48 kHz, 24 bits, as long as the pattern at least, and the same each time`()
        async throws
    {
        let (outcome, first) = try await render([], to: "a.wav")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty && outcome.complaint.isEmpty)
        let wave = try self.wave(first)
        #expect((wave.channelCount, wave.sampleRate, wave.bits) == (2, 48_000, 24))
        // Eight sixteenths at 120 BPM last a second.
        #expect(wave.frames >= 48_000)
        #expect(wave.data.contains { $0 != 0 })
        let (_, second) = try await render([], to: "b.wav")
        #expect(try Data(contentsOf: first) == Data(contentsOf: second))
    }

    @Test func `rate, sample format, loops and a single track are as asked for`() async throws {
        let (outcome, sound) = try await render(
            ["--rate", "44100", "--float", "--loops", "3", "--track", "melody"], to: "a.wav")
        #expect(outcome.status == 0)
        let wave = try self.wave(sound)
        #expect((wave.channelCount, wave.sampleRate, wave.bits) == (1, 44_100, 32))
        #expect(wave.frames >= 3 * 44_100)
    }

    @Test func `stems are files beside the mix, all of floats`() async throws {
        let (outcome, _) = try await render(["--stems"], to: "a.wav")
        #expect(outcome.status == 0)
        for name in ["a", "a.melody", "a.chords", "a.bass", "a.rhythm", "a.reverb", "a.delay"] {
            let wave = try self.wave(folder.appendingPathComponent("\(name).wav"))
            #expect((wave.channelCount, wave.sampleRate, wave.bits) == (2, 48_000, 32), "\(name)")
        }
    }

    /// Makes a kit of samples, Dust, with a kick.
    private func makeKit() async throws -> URL {
        let kit = folder.appendingPathComponent("kits/Dust")
        try FileManager.default.createDirectory(at: kit, withIntermediateDirectories: true)
        try Data(contentsOf: try await render(["--rate", "44100", "--track", "melody"], to: "a.wav").1)
            .write(to: kit.appendingPathComponent("kick.wav"))
        return kit
    }

    @Test func `a kit of samples is found where the daemon is configured to have it`() async throws {
        let kits = try await makeKit().deletingLastPathComponent().path
        let (_, reference) = try await render(["--kits", kits], to: "dust.wav", kit: "Dust")
        let (found, same) = try await render(
            [], to: "same.wav", kit: "Dust", environment: ["PIXELBOOP_DATA_DIR": folder.path])
        #expect(found.status == 0 && found.complaint.isEmpty)
        #expect(try Data(contentsOf: same) == Data(contentsOf: reference))
    }

    @Test func `a wrong configuration is reported only if a kit of samples is sought with it`() async throws {
        let environment = ["PIXELBOOP_CONFIG": "/nowhere.toml"]
        let (sought, _) = try await render([], to: "a.wav", kit: "Dust", environment: environment)
        #expect(sought.status == 2)
        #expect(sought.complaint.contains("/nowhere.toml: cannot be read: No such file or directory"))
        let (plain, _) = try await render([], to: "b.wav", kit: "808", environment: environment)
        #expect(plain.status == 0 && plain.complaint.isEmpty)
        let (named, _) = try await render(
            ["--kits", folder.path], to: "c.wav", kit: "Dust", environment: environment)
        #expect(named.status == 0)
    }

    @Test func `a kit of samples is rendered, and what cannot be used is reported`() async throws {
        let kit = try await makeKit()
        try Data("no sound".utf8).write(to: kit.appendingPathComponent("ride.wav"))
        let (plain, reference) = try await render(["--track", "rhythm"], to: "808.wav", kit: "808")
        #expect(plain.status == 0 && plain.complaint.isEmpty)
        let kits = folder.appendingPathComponent("kits").path
        let (outcome, sound) = try await render(["--track", "rhythm", "--kits", kits], to: "dust.wav", kit: "Dust")
        #expect(outcome.status == 0 && outcome.complaint.hasPrefix("ride.wav: expected a sound file: "))
        #expect(try wave(sound).data.contains { $0 != 0 })
        #expect(try Data(contentsOf: sound) != Data(contentsOf: reference))
        // A missing kit sounds like the 808.
        let (missing, same) = try await render(
            ["--track", "rhythm", "--kits", "/nowhere"], to: "none.wav", kit: "Dust")
        #expect(missing.status == 0 && missing.complaint.hasPrefix("Dust: No such file"))
        #expect(try Data(contentsOf: same) == Data(contentsOf: reference))
    }

    @Test func `a name that ends in .flac makes a FLAC file`() async throws {
        let (outcome, sound) = try await render([], to: "a.flac")
        #expect(outcome.status == 0)
        #expect(try Data(contentsOf: sound).prefix(4) == Data("fLaC".utf8))
    }

    @Test(arguments: [
        (["--rate", "1000"], "a.wav"), (["--loops", "0"], "a.wav"), ([], "a.mp3"), (["--float"], "a.flac"),
        (["--track", "drums"], "a.wav"), (["--loops", "1001"], "a.wav"), (["--scenes", "0"], "a.wav"),
        (["--loops", "5000000000000000000", "--scenes", "1,2"], "a.wav"),
        (["--loops", "501", "--scenes", "1,2"], "a.wav"), (["--stems"], "a.flac"),
        (["--stems", "--track", "bass"], "a.wav"),
    ])
    func `impossible options are wrong usage, and leave no file`(options: [String], name: String) async throws {
        let (outcome, sound) = try await render(options, to: name)
        #expect(outcome.status == 2)
        #expect(!outcome.complaint.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: sound.path))
    }

    @Test(arguments: ["-", "/dev/stdout"])
    func `standard output gets the same WAV as a file, its length included`(name: String) async throws {
        let (_, file) = try await render([], to: "a.wav")
        let input = folder.appendingPathComponent("pattern.json")
        try Data(pattern.utf8).write(to: input)
        let piped = folder.appendingPathComponent("piped.wav")
        let outcome = try await Program.run(
            URL(fileURLWithPath: "/bin/bash"),
            [
                "-c", #"set -o pipefail; "$0" render "$1" "$2" | cat > "$3""#, Program.url.path, input.path, name,
                piped.path,
            ], environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 0)
        #expect(outcome.complaint.isEmpty)
        #expect(try Data(contentsOf: piped) == Data(contentsOf: file))
    }

    @Test func `only a regular file is replaced`() async throws {
        let target = folder.appendingPathComponent("target.wav")
        try Data("kept".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("link.wav"), withDestinationURL: target)
        let (outcome, _) = try await render([], to: "link.wav")
        #expect(outcome.status == 2)
        #expect(outcome.complaint.contains("it is a symbolic link, and only regular files are replaced"))
        #expect(try Data(contentsOf: target) == Data("kept".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test(arguments: [(0, 0), (50, 20), (99, 39), (100, 40)])
    func `the progress bar fills from left to right`(percent: Int, full: Int) {
        let line = ProgressBar.line(label: "a.wav", percent: percent)
        #expect(line.filter { $0 == "#" }.count == full)
        #expect(line.count == ProgressBar.line(label: "a.wav", percent: 7).count)
    }
}
