import CSndFile
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct SampleFileTests {
    let directory = try! TemporaryDirectory()

    private func read(_ name: String) throws -> SampleFile { try SampleFile(path: directory.file(name)) }

    private func write(_ data: Data, to name: String) throws { try data.write(to: URL(filePath: directory.file(name))) }

    /// Formats and their precision.
    private static let formats: [(format: Int, tolerance: Double)] = [
        (SF_FORMAT_WAV | SF_FORMAT_PCM_U8, 0.02), (SF_FORMAT_WAV | SF_FORMAT_PCM_24, 1e-4),
        (SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1e-6), (SF_FORMAT_WAV | SF_FORMAT_DOUBLE, 1e-6),
        (SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 1e-4), (SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1e-4),
        (SF_FORMAT_CAF | SF_FORMAT_PCM_32, 1e-4), (SF_FORMAT_W64 | SF_FORMAT_PCM_16, 1e-4),
        (SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.1), (SF_FORMAT_AU | SF_FORMAT_ULAW, 0.05),
    ]

    @Test(arguments: formats)
    func `every format of libsndfile is read`(format: Int, tolerance: Double) throws {
        let samples = WaveFile.sine(440, frames: 4800, level: 0.5)
        try SampleWriter.write(samples, to: directory.file("kick"), format: format)
        let file = try read("kick")
        #expect(file.sampleRate == 48_000 && file.samples.count == samples.count)
        #expect(zip(file.samples, samples).allSatisfy { Double(abs($0 - $1)) < tolerance })
    }

    /// libsndfile closes files it refuses; closing the descriptor twice could close another thread's file.
    @Test(arguments: ["", "no sound", "RIFF    WAVE", "fLaC", "OggS"])
    func `a file stays open for its owner, even if refused`(content: String) throws {
        try directory.write(content, to: "kick.wav")
        let descriptor = open(directory.file("kick.wav"), O_RDONLY)
        defer { close(descriptor) }
        var (before, after) = (stat(), stat())
        try #require(fstat(descriptor, &before) == 0)
        #expect(throws: SampleError.self) { try SampleFile(descriptor: descriptor) }
        #expect(fstat(descriptor, &after) == 0 && after.st_ino == before.st_ino)
    }

    @Test func `stereo becomes the mean of its channels`() throws {
        let (left, right) = (WaveFile.sine(300, frames: 1000), WaveFile.sine(700, frames: 1000))
        let both = zip(left, right).flatMap { [$0, $1] }
        try write(WaveFile.bytes(both, channels: 2), to: "kick.wav")
        let mean = zip(left, right).map { 0.5 * $0 + 0.5 * $1 }
        #expect(try read("kick.wav").samples == mean)
    }

    @Test(arguments: [8000, 22_050, 44_100, 96_000, 192_000, 384_000], [44_100, 48_000, 192_000])
    func `a file of any rate keeps its pitch, level and length`(from: Int, to: Int) throws {
        try SampleWriter.write(
            WaveFile.sine(1000, frames: from / 2, sampleRate: from, level: 0.5), to: directory.file("kick.wav"),
            sampleRate: from, format: SF_FORMAT_WAV | SF_FORMAT_FLOAT)
        let file = try read("kick.wav")
        let samples = file.samples(at: to)
        #expect(abs(samples.count - to / 2) <= 1)
        let middle = samples[(samples.count / 4)..<(samples.count * 3 / 4)]
        let tone = Tone(in: middle, near: 1000, sampleRate: Double(to))
        #expect(abs(tone.frequency - 1000) < 0.01 && abs(middle.rms - 0.5 / 2.0.squareRoot()) < 0.002)
        #expect(tone.residual < 1e-4)
        #expect(samples.allSatisfy(\.isFinite) && samples.peak < 0.6)
    }

    @Test func `frequencies above half the new rate are filtered out`() throws {
        let samples = WaveFile.sine(30_000, frames: 96_000, sampleRate: 96_000)
        try write(WaveFile.bytes(samples, sampleRate: 96_000), to: "kick.wav")
        #expect(try decibels(read("kick.wav").samples(at: 48_000)[2000..<40_000].rms) < -90)
    }

    @Test func `a sample ends in silence, within a millisecond`() throws {
        try write(WaveFile.bytes([Float](repeating: 1, count: 4800)), to: "kick.wav")
        let samples = try read("kick.wav").samples(at: 48_000)
        #expect(samples.last == 0 && samples[4800 - 49] == 1 && samples.steepestStep < 0.03)
    }

    // MARK: Invalid files

    @Test(arguments: [Float.nan, .signalingNaN, .infinity, -.infinity, 1e30, -17])
    func `an invalid sample is refused with its place`(value: Float) throws {
        var samples = WaveFile.sine(440, frames: 20_000)
        samples[12_345] = value
        try write(WaveFile.bytes(samples), to: "kick.wav")
        #expect(throws: SampleError.notASample(frame: 12_345)) { try read("kick.wav") }
        let stereo = samples.flatMap { [Float(0), $0] }
        try write(WaveFile.bytes(stereo, channels: 2), to: "kick.wav")
        // Half of 17 is loud, but a sample.
        if value != -17 { #expect(throws: SampleError.notASample(frame: 12_345)) { try read("kick.wav") } }
    }

    @Test func `a float beyond full scale is kept`() throws {
        try write(WaveFile.bytes([0, 3.5, -3.5, 0]), to: "kick.wav")
        #expect(try read("kick.wav").samples == [0, 3.5, -3.5, 0])
    }

    @Test func `a file without frames is refused`() throws {
        try write(WaveFile.bytes([]), to: "kick.wav")
        #expect(throws: SampleError.empty) { try read("kick.wav") }
    }

    @Test(arguments: [0, 1, 3, 100, 4_294_967_295, 2_147_483_647])
    func `a file with a false length is refused, or read as far as there is sound`(dataSize: Int) throws {
        try write(WaveFile.bytes(WaveFile.sine(440, frames: 500), dataSize: dataSize), to: "kick.wav")
        do throws(SampleError) {
            let file = try SampleFile(path: directory.file("kick.wav"))
            #expect((1...500).contains(file.samples.count))
        } catch {
            switch error {
            case .empty, .unreadable: #expect(dataSize < 8)
            case .endsEarly(let frames, _): #expect(frames <= 500)
            case .cutOff(let bytes, _): #expect(bytes <= 2000)
            default: Issue.record("\(error)")
            }
        }
    }

    @Test func `a truncated FLAC is refused`() throws {
        try SampleWriter.write(
            WaveFile.sine(440, frames: 48_000), to: directory.file("kick.flac"),
            format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        let whole = try directory.read("kick.flac")
        try write(Data(whole.prefix(whole.count / 2)), to: "kick.flac")
        #expect(throws: SampleError.self) { try read("kick.flac") }
    }

    @Test(arguments: [SF_FORMAT_WAV, SF_FORMAT_AIFF, SF_FORMAT_AU])
    func `an uncompressed file truncated anywhere is refused, with how much there is`(
        format: Int
    ) throws {
        try SampleWriter.write(
            WaveFile.sine(440, frames: 1000), to: directory.file("kick"), format: format | SF_FORMAT_PCM_16)
        let whole = try directory.read("kick")
        #expect(try read("kick").samples.count == 1000)
        for missing in [1, 2, 3, 500, 1001, 1990] {
            try write(Data(whole.dropLast(missing)), to: "kick")
            #expect(throws: SampleError.cutOff(bytes: 2000 - missing, promised: 2000), "\(missing) bytes") {
                try read("kick")
            }
        }
        #expect(
            SampleError.cutOff(bytes: 1, promised: 2).description
                == "the file is cut off: it has 1 of the 2 bytes of sound that it should have")
    }

    @Test func `data after the sound may be missing`() throws {
        let wave = WaveFile.bytes(WaveFile.sine(440, frames: 1000))
        try write(wave + Data("LIST".utf8) + Data([200, 0, 0, 0, 1, 2, 3]), to: "kick.wav")
        #expect(try read("kick.wav").samples.count == 1000)
    }

    @Test func `more than ten seconds are refused, and not read`() throws {
        try write(WaveFile.bytes([Float](repeating: 0.1, count: 80_000), sampleRate: 8000), to: "kick.wav")
        #expect(try read("kick.wav").samples.count == 80_000)
        try write(WaveFile.bytes([Float](repeating: 0.1, count: 80_001), sampleRate: 8000), to: "kick.wav")
        #expect(throws: SampleError.tooLong(seconds: 80_001.0 / 8000)) { try read("kick.wav") }
    }

    @Test(arguments: [3, 8, 64])
    func `more than two channels are refused`(channels: Int) throws {
        try write(
            WaveFile.bytes([Float](repeating: 0, count: 10 * channels), channels: channels), to: "kick.wav")
        #expect(throws: SampleError.channels(channels)) { try read("kick.wav") }
    }

    @Test(arguments: [1, 3999, 768_001])
    func `an implausible sample rate is refused`(rate: Int) throws {
        try write(WaveFile.bytes([0.5, 0.5], sampleRate: rate), to: "kick.wav")
        #expect(throws: SampleError.sampleRate(rate)) { try read("kick.wav") }
    }

    @Test func `a FIFO, directory or missing file is refused without waiting`() throws {
        #expect(mkfifo(directory.file("kick.wav"), 0o600) == 0)
        #expect(throws: SampleError.notAFile) { try read("kick.wav") }
        try FileManager.default.createDirectory(atPath: directory.file("snare.wav"), withIntermediateDirectories: true)
        #expect(throws: SampleError.notAFile) { try read("snare.wav") }
        #expect(throws: SampleError.io(reason: "No such file or directory")) { try read("clap.wav") }
    }

    @Test func `a file without sound is refused with a reason`() throws {
        for text in ["", "RIFF", "not a sound", "fLaC", "OggS", "ID3"] {
            try directory.write(text, to: "kick.wav")
            do throws(SampleError) {
                _ = try SampleFile(path: directory.file("kick.wav"))
                Issue.record("\(text) passes for a sound")
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test func `files damaged at random are refused with a reason or hold sound`() throws {
        var generator = SeededGenerator(seed: 18)
        let path = directory.file("kick")
        for format in [SF_FORMAT_WAV, SF_FORMAT_AIFF, SF_FORMAT_FLAC, SF_FORMAT_OGG | SF_FORMAT_VORBIS] {
            let subformat = format & SF_FORMAT_SUBMASK == 0 ? SF_FORMAT_PCM_16 : 0
            try SampleWriter.write(WaveFile.sine(440, frames: 2000), to: path, format: format | subformat)
            let whole = try directory.read("kick")
            for _ in 0..<200 {
                var damaged = whole
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    damaged[.random(in: damaged.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                if Bool.random(using: &generator) {
                    damaged.removeLast(.random(in: 0...damaged.count, using: &generator))
                }
                try Data(damaged).write(to: URL(filePath: path))
                do throws(SampleError) {
                    let file = try SampleFile(path: path)
                    #expect(!file.samples.isEmpty && file.samples.allSatisfy { abs($0) <= 16 })
                    #expect(file.samples.count <= 10 * file.sampleRate)
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }
}
