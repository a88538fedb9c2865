import DaemonTestSupport
import Foundation
import Glibc
import Music
import PixelBoopClient
import ProgramTestSupport
import TestSupport
import Testing
import Wire

/// Exports that would take many minutes, and everything else meanwhile.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ExportTests {
    private let directory: TemporaryDirectory
    private let daemon: DaemonProcess

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
    }

    /// Lets a client start a long export, and returns when the daemon works on it.
    ///
    /// - Returns: A task that ends with the export; with nil if that was not answered.
    private func beginExport(_ name: String, by client: PixelBoopClient) async throws -> Task<ExportReply?, Never> {
        let before = await openExports
        // Answers of the exporting client wait for the export.
        let observer = try await daemon.connect()
        let export = Task { [path = directory.file(name)] in
            try? await client.exportWAV(to: path, loops: 1000, rate: 192_000)
        }
        try await waitUntil(observer) { $0 > before }
        return export
    }

    /// Waits for a number of open exports, for as long as the daemon answers.
    private func waitUntil(_ client: PixelBoopClient, _ condition: (Int) -> Bool) async throws {
        try await TestSupport.waitUntil {
            try await client.ping()
            return await condition(openExports)
        }
    }

    /// How many files in the directory the daemon has open, even without a name.
    private var openExports: Int {
        get async {
            let folder = "/\(URL(filePath: directory.path).lastPathComponent)/"
            let descriptors = "/proc/\(await daemon.identifier)/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            return names.count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)")
                return target?.contains(folder) == true
            }
        }
    }

    @Test func `while two clients export others save and load, and the end cancels the exports`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setTempo(20)
        var exports: [Task<ExportReply?, Never>] = []
        for name in ["a.flac", "b.flac"] {
            exports.append(try await beginExport(name, by: try await daemon.connect()))
        }
        try await client.save("meanwhile")
        try await client.load("meanwhile")
        #expect(try await client.library().map(\.name) == ["meanwhile"])

        let events = try await client.subscribe(to: [.state])
        let asked = ContinuousClock.now
        let daemon = daemon
        async let status = daemon.end(with: SIGTERM)
        var isTold = false
        do {
            for try await event in events { if case .bye = event { isTold = true } }
        } catch ClientError.connectionLost {}
        #expect(isTold)
        #expect(await status == 0)
        print("ended \(ContinuousClock.now - asked) after SIGTERM, with two exports under way")
        for export in exports { #expect(await export.value == nil) }
        #expect(try directory.names == [])
    }

    @Test func `a chain is exported as its scenes, a loop each, to the byte`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        for (scene, step) in [(1, 0), (2, 6)] {
            try await client.launchScene(scene)
            try await client.setNote(.rhythm, step: step, note: Drum.kick.rawValue, .accent)
        }
        try await client.chainScenes([2, 1, 2])
        let asChain = try await client.exportWAV(to: directory.file("chain.wav"), chain: true)
        let asScenes = try await client.exportWAV(to: directory.file("scenes.wav"), scenes: [2, 1, 2])
        #expect(asChain.frames == asScenes.frames)
        let files = try ["chain.wav", "scenes.wav"].map { try Data(contentsOf: URL(filePath: directory.file($0))) }
        #expect(files[0] == files[1])
        _ = try await client.exportWAV(to: directory.file("other.wav"), scenes: [2, 2, 2])
        #expect(try Data(contentsOf: URL(filePath: directory.file("other.wav"))) != files[0])
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `an export ends with its client's connection`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setTempo(20)
        let exporter = try await daemon.connect()
        let export = try await beginExport("a.flac", by: exporter)
        exporter.close()
        try await waitUntil(client) { $0 == 0 }
        #expect(await export.value == nil)
        #expect(try directory.names == [])
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a daemon that is killed leaves nothing of its exports`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.setTempo(20)
        let export = try await beginExport("a.flac", by: client)
        #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
        #expect(await export.value == nil)
        #expect(try directory.names == [])
    }

    @Test func `nothing but a regular file is replaced by an export`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        symlink(daemon.socketPath, directory.file("link.wav"))
        mkfifo(directory.file("fifo.wav"), 0o600)
        for path in [
            daemon.socketPath, "/dev/full", "/dev/stdout", "-", directory.path, directory.file("link.wav"),
            directory.file("fifo.wav"), directory.file("a.mid"),
        ] {
            await #expect(throws: ClientError.self, "\(path)") { try await client.exportWAV(to: path) }
        }
        #expect(try directory.names == ["fifo.wav", "link.wav"])
        _ = try await daemon.connect()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    /// Plays a kick from a kit of samples, where programs find it for which the directory is the user's data.
    private func useSamples(_ client: PixelBoopClient) async throws {
        let data = daemon.directory.appending(path: "data")
        let kit = data.appending(path: "kits/Dust")
        try FileManager.default.createDirectory(at: kit, withIntermediateDirectories: true)
        try WaveFile.bytes(WaveFile.sine(1000, frames: 4800)).write(to: kit.appending(path: "kick.wav"))
        symlink(data.path, directory.file("pixelboop"))
        _ = try await client.kits(reloading: true)
        try await client.set(.rhythm, [.kit: "Dust"])
        try await client.setNote(.rhythm, step: 0, note: Drum.kick.rawValue, .accent)
    }

    @Test func `a sound on standard output is the one that the daemon writes into a file`() async throws {
        try await daemon.start()
        let client = try await daemon.connect()
        for (step, note) in [0, 4, 7].enumerated() {
            try await client.setNote(.melody, step: step, note: note, .accent)
        }
        try await client.setTempo(240)
        _ = try await client.set(.melody, [.pan: .number(-0.5)])
        try await useSamples(client)
        let file = directory.file("file.wav")
        _ = try await client.exportWAV(to: file, loops: 2, rate: 44_100)
        let piped = directory.file("piped.wav")
        let outcome = try await Program.run(
            URL(filePath: "/bin/bash"),
            ["-c", #""$0" export --wav - --loops 2 --rate 44100 | cat > "$1""#, Program.url.path, piped],
            environment: [
                "PATH": "/usr/bin:/bin", "PIXELBOOP_SOCKET": daemon.socketPath, "XDG_DATA_HOME": directory.path,
            ])
        #expect(outcome.complaint == "")
        #expect(try Data(contentsOf: URL(filePath: piped)) == Data(contentsOf: URL(filePath: file)))
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
