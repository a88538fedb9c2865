import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// Takes, rendered by the daemon that kept them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RenderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Something on all tracks, five steps a second.
    private var music: Pattern {
        var pattern = Pattern()
        pattern.bpm = 150
        for track in Track.allCases {
            for step in stride(from: track.rawValue, to: 32, by: 3) { pattern[track, (4 + step) % 12, step] = .accent }
        }
        return pattern
    }

    /// Fetches a file of a render in the background.
    private func fetch(_ render: Int, _ stem: String? = nil, by client: PixelBoopClient) async throws -> Data {
        var content = Data()
        while true {
            let part = try await client.call(Methods.renderData, (render, content.count, stem))
            content += try #require(Data(base64Encoded: part.data))
            guard !part.isEnd else {
                #expect(content.count == part.size)
                return content
            }
        }
    }

    /// The next end of a render in the background; nil if it failed.
    private func end(
        of render: Int, in events: Subscription, progress: inout [Double]
    ) async throws -> (sound: RenderedSound, files: [String])? {
        for try await case .take(let event) in events {
            switch event {
            case .progress(render, let share): progress.append(share)
            case .done(render, let sound, let files): return (sound, files)
            case .failed(render, _): return nil
            default: break
            }
        }
        return nil
    }

    private func file(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: directory.file(name))) }

    @Test func `a take's render is what JACK recorded, each time the same, with a path and without`() async throws {
        let directory = directory
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await client.setPattern(music)
            let recorder = try JackRecorder(["pixelboop:main_L", "pixelboop:main_R"], of: stage.server)
            defer { recorder.close() }
            try await client.play()
            try await client.waitForStep(8)
            #expect(await recorder.record(frames: 96_000))
            // While it goes on.
            let whole = try await client.call(
                Methods.renderTake, RenderCall(take: 1, path: directory.file("whole.wav")))
            #expect(whole.sound?.drums == [] && whole.sound?.warning == nil)
            let rendered = try bits(of: WaveFile(reading: directory.read("whole.wav")))
            let recorded = recorder.recording.channels
            let onset = try #require(recorded[0].firstIndex { $0 != 0 })
            // On a busy machine periods are lost here and there.
            let windows = stride(from: onset, to: onset + 86_400, by: 4800).map { $0..<$0 + 2400 }
            let same = windows.filter { window in
                let heard = recorded.map { $0[window].map(\.bitPattern) }
                guard let place = place(of: heard[0], in: rendered[0]) else { return false }
                return heard[1] == Array(rendered[1][place..<place + 2400])
            }
            print("\(same.count) of \(windows.count) windows of the recording are in the render, to the bit")
            #expect(2 * same.count > windows.count)
            try await client.stop()

            let part = RenderCall(take: 1, format: .float, from: 0.5, to: 2)
            for name in ["a.wav", "b.wav"] {
                var call = part
                call.path = directory.file(name)
                #expect(try await client.call(Methods.renderTake, call).sound?.frames == 72_000)
            }
            #expect(try file("a.wav") == file("b.wav"))
            let events = try await client.subscribe(to: [.take])
            let number = try #require(try await client.call(Methods.renderTake, part).render)
            var progress: [Double] = []
            let ended = try #require(try await end(of: number, in: events, progress: &progress))
            #expect(ended.sound.frames == 72_000 && ended.files == ["mix"])
            #expect(try await fetch(number, by: client) == file("a.wav"))

            var stems = part
            (stems.format, stems.stems) = (nil, true)
            let withStems = try #require(try await client.call(Methods.renderTake, stems).render)
            let names = try #require(try await end(of: withStems, in: events, progress: &progress)).files
            #expect(names == ["mix", "melody", "chords", "bass", "rhythm", "reverb", "delay"])
            stems.path = directory.file("s.wav")
            _ = try await client.call(Methods.renderTake, stems)
            #expect(try await fetch(withStems, by: client) == file("s.wav"))
            for name in names.dropFirst() {
                #expect(try await fetch(withStems, name, by: client) == file("s.\(name).wav"))
            }
            #expect(progress == progress.sorted() || progress.allSatisfy { 0...1 ~= $0 })
            #expect((try? FileManager.default.contentsOfDirectory(atPath: stage.daemon.cacheDirectory.path)) == [])
        }
    }

    /// Where a part of a recording, which is not silent, is in another.
    private func place(of part: [UInt32], in whole: [UInt32]) -> Int? {
        guard let first = part.firstIndex(where: { $0 << 1 != 0 }), whole.count >= part.count else { return nil }
        return (0...whole.count - part.count).first { start in
            whole[start + first] == part[first] && whole[start..<start + part.count].elementsEqual(part)
        }
    }

    /// The bits of a stereo file's floats, left and right.
    private func bits(of file: WaveFile) throws -> [[UInt32]] {
        try #require(file.isFloat && file.channelCount == 2 && file.sampleRate == 48_000)
        let bytes = Array(file.data)
        return (0...1).map { channel in
            stride(from: 4 * channel, to: bytes.count, by: 8).map { place in
                bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
    }

    @Test func `a take's MIDI file has its notes`() async throws {
        try await Stage.with { [directory] stage in
            let client = try await stage.connect()
            try await client.setPattern(music)
            try await client.play()
            try await client.waitForStep(16)
            try await client.stop()
            let returned = try await client.call(Methods.takeMIDI, (1, nil))
            let written = try await client.call(Methods.takeMIDI, (1, directory.file("a.mid")))
            #expect(written.path == directory.file("a.mid") && written.data == nil)
            let bytes = try file("a.mid")
            #expect(bytes.starts(with: Data("MThd".utf8)) && bytes.count > 200)
            #expect(returned.data.flatMap { Data(base64Encoded: $0) }?.starts(with: Data("MThd".utf8)) == true)
        }
    }

    @Test func `samples are found under another name, and drums without them are named`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--driver", "internal"])
        let kit = daemon.directory.appending(path: "data/kits/Dust")
        try FileManager.default.createDirectory(at: kit, withIntermediateDirectories: true)
        let sample = kit.appending(path: "kick.wav")
        try WaveFile.bytes(WaveFile.sine(1000, frames: 4800)).write(to: sample)
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        _ = try await client.kits(reloading: true)
        try await client.set(.rhythm, [.kit: "Dust"])
        for step in 0..<16 { try await client.setNote(.rhythm, step: 2 * step, note: Drum.kick.rawValue, .accent) }
        try await client.play()
        // On a busy machine the samples are loaded later.
        try await client.waitForStep(24)
        try await client.stop()
        var call = RenderCall(take: 1, path: directory.file("a.wav"), to: 2.75)
        #expect(try await client.call(Methods.renderTake, call).sound?.drums == [])
        let elsewhere = daemon.directory.appending(path: "data/kits/Rust")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: sample, to: elsewhere.appending(path: "snare.wav"))
        call.path = directory.file("b.wav")
        #expect(try await client.call(Methods.renderTake, call).sound?.drums == [])
        #expect(try file("a.wav") == file("b.wav"))
        try FileManager.default.removeItem(at: elsewhere)
        call.path = directory.file("c.wav")
        #expect(try await client.call(Methods.renderTake, call).sound?.drums == [Drum.kick.name])
        #expect(try file("c.wav") != file("a.wav"))
        await #expect(throws: ClientError.self) {
            try await client.call(Methods.renderTake, RenderCall(take: 2, path: directory.file("d.wav")))
        }
        #expect(try directory.names == ["a.wav", "b.wav", "c.wav"])
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    // MARK: Long renders

    /// How many files in the cache the daemon has open, even without a name.
    private func openFiles(of daemon: DaemonProcess) async -> Int {
        let descriptors = "/proc/\(await daemon.identifier)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        return names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)")
            return target?.hasPrefix(daemon.cacheDirectory.path) == true
        }
    }

    /// Begins a render in the background that takes long; returns when the daemon works on it.
    private func beginLongRender(by client: PixelBoopClient, of daemon: DaemonProcess) async throws -> Int {
        var music = music
        music.bpm = 20
        try await client.setPattern(music)
        // Just under the cache's limit.
        let reply = try await client.call(Methods.exportWAV, ExportCall(path: nil, loops: 148, rate: 48_000))
        try await waitUntil { await openFiles(of: daemon) > 0 }
        return try #require(reply.render)
    }

    @Test func `a render ends with its client, and then another client may render`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--driver", "internal"])
        try await daemon.start()
        let (client, other) = (try await daemon.connect(), try await daemon.connect())
        _ = try await beginLongRender(by: client, of: daemon)
        let export = ExportCall(path: nil, rate: 8000)
        await #expect(throws: ClientError.self) { try await other.call(Methods.exportWAV, export) }
        client.close()
        try await waitUntil {
            try await other.ping()
            return await openFiles(of: daemon) == 0
        }
        try await other.setTempo(240)
        let events = try await other.subscribe(to: [.take])
        let render = try #require(try await other.call(Methods.exportWAV, export).render)
        var progress: [Double] = []
        let ended = try #require(try await end(of: render, in: events, progress: &progress))
        #expect(ended.sound.frames > 0 && ended.files == ["mix"])
        #expect(await openFiles(of: daemon) == 1)
        #expect(try await fetch(render, by: other).starts(with: Data("fLaC".utf8)))
        _ = try await other.call(Methods.cancelRender, render)
        try await waitUntil { await openFiles(of: daemon) == 0 }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a client cancels its render, and hears that it ended`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--driver", "internal"])
        try await daemon.start()
        let client = try await daemon.connect()
        let events = try await client.subscribe(to: [.take])
        let render = try await beginLongRender(by: client, of: daemon)
        var progress: [Double] = []
        for try await case .take(.progress(render, let share)) in events {
            progress.append(share)
            if progress.count == 3 { break }
        }
        #expect(progress == progress.sorted() && progress[0] < 1)
        _ = try await client.call(Methods.cancelRender, render)
        for try await case .take(.failed(render, let reason)) in events {
            #expect(reason == "cancelled")
            break
        }
        try await waitUntil { await openFiles(of: daemon) == 0 }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `the daemon's end does not wait for a render, and leaves nothing of it`(signal: Int32) async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--driver", "internal"])
        try await daemon.start()
        let client = try await daemon.connect()
        _ = try await beginLongRender(by: client, of: daemon)
        let asked = ContinuousClock.now
        #expect(await daemon.end(with: signal) == (signal == SIGTERM ? 0 : -SIGKILL))
        print("ended \(ContinuousClock.now - asked) after signal \(signal), with a render under way")
        #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.cacheDirectory.path) == [])
    }
}
