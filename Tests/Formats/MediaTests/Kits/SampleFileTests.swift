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
    func `a file with a false length is read as far as there is sound`(dataSize: Int) throws {
        try write(WaveFile.bytes(WaveFile.sine(440, frames: 500), dataSize: dataSize), to: "kick.wav")
        do throws(SampleError) {
            let file = try SampleFile(path: directory.file("kick.wav"))
            #expect(file.samples.count == (dataSize == 100 ? 25 : 500))
            #expect(file.truncation == nil)
        } catch {
            #expect(error == .empty && (1...3).contains(dataSize))
        }
    }

    @Test func `a size of 0 before another chunk is a file without sound`() throws {
        try write(WaveFile.bytes([]) + Self.chunk("LIST", [UInt8]("INFOabcd".utf8)), to: "kick.wav")
        #expect(throws: SampleError.empty) { try read("kick.wav") }
    }

    @Test func `a truncated FLAC is played as far as it goes`() throws {
        try SampleWriter.write(
            WaveFile.sine(440, frames: 48_000), to: directory.file("kick.flac"),
            format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        let whole = try directory.read("kick.flac")
        #expect(try read("kick.flac").truncation == nil)
        try write(Data(whole.prefix(whole.count / 2)), to: "kick.flac")
        let file = try read("kick.flac")
        #expect((4096..<48_000).contains(file.samples.count))
        #expect(file.truncation == .frames(file.samples.count, of: 48_000))
    }

    @Test(
        arguments: [SF_FORMAT_WAV, SF_FORMAT_AIFF, SF_FORMAT_AU],
        [(SF_FORMAT_PCM_16, 1), (SF_FORMAT_PCM_16, 2), (SF_FORMAT_PCM_24, 2), (SF_FORMAT_FLOAT, 1)])
    func `an uncompressed file truncated anywhere plays its whole frames, and is truncated if it lacks one`(
        container: Int, sample: (format: Int, channels: Int)
    ) throws {
        let path = directory.file("kick")
        let samples = WaveFile.sine(440, frames: 1000 * sample.channels, level: 0.5)
        try SampleWriter.write(samples, to: path, channels: sample.channels, format: container | sample.format)
        let whole = try directory.read("kick")
        let before = try read("kick").samples
        #expect(before.count == 1000)
        let width = [SF_FORMAT_PCM_16: 2, SF_FORMAT_PCM_24: 3, SF_FORMAT_FLOAT: 4][sample.format]! * sample.channels
        // What follows the sound, such as the peak chunk of float files, may be missing.
        let end = whole.count - Self.bytesAfterSound(whole, size: 1000 * width)
        for missing in [1, width - 1, width, width + 1, 501 * width, 999 * width] where missing > 0 {
            try write(Data(whole.prefix(end - missing)), to: "kick")
            let file = try read("kick")
            #expect(file.samples == Array(before.prefix((1000 * width - missing) / width)), "\(missing) bytes")
            #expect(
                file.truncation
                    == (missing < width ? nil : .bytes(1000 * width - missing, of: 1000 * width)), "\(missing) bytes")
        }
    }

    /// How many bytes of a file follow its chunk of sound, which has a size and is not its first.
    private static func bytesAfterSound(_ file: [UInt8], size: Int) -> Int {
        for name in ["data", "SSND"] {
            guard let place = file.indices.first(where: { file[$0...].starts(with: name.utf8) }) else { continue }
            return file.count - (place + (name == "SSND" ? 16 : 8) + size)
        }
        return 0
    }

    @Test func `truncation is told in words`() {
        #expect(
            "\(Truncation.bytes(1, of: 2))"
                == "the file is truncated: it has 1 of the 2 bytes of sound that it should have")
        #expect("\(Truncation.frames(1, of: 2))" == "the file is truncated: it ends after 1 of 2 frames")
    }

    // MARK: Files that programs write wrongly

    /// A chunk, with or without the byte that must follow an odd size.
    private static func chunk(_ name: String, _ content: [UInt8], isPadded: Bool = true) -> Data {
        var data = Data(name.utf8)
        withUnsafeBytes(of: UInt32(content.count).littleEndian) { data.append(contentsOf: $0) }
        data.append(contentsOf: content)
        if isPadded, content.count % 2 == 1 { data.append(0) }
        return data
    }

    @Test(arguments: ["inst", "LIST", "id3 ", "abcd"], [(true, nil), (false, nil), (true, 0), (false, 0)])
    func `a chunk of odd size is read with its pad byte and without`(
        name: String, fault: (isPadded: Bool, size: Int?)
    ) throws {
        let (isPadded, size) = fault
        let samples = WaveFile.sine(440, frames: 500)
        var file = WaveFile.bytes(samples, dataSize: size)
        // Before the chunk of sound.
        file.insert(contentsOf: Self.chunk(name, [60, 0, 0, 0, 127, 0, 127], isPadded: isPadded), at: 36)
        try write(file, to: "kick.wav")
        let read = try read("kick.wav")
        #expect(read.samples == samples && read.truncation == nil)
        try write(file.dropLast(1001), to: "kick.wav")
        let truncated = try self.read("kick.wav")
        #expect(truncated.samples == Array(samples.prefix(249)))
        #expect((truncated.truncation == nil) == (size == 0))
    }

    // MARK: MP3

    /// An MP3 of variable bit rate: half a second of noise and of silence, in either order.
    private func writeMP3(startsLoud: Bool, to name: String) throws -> (samples: [Float], bytes: [UInt8]) {
        var generator = SeededGenerator(seed: 44)
        let noise = (0..<44_100).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
        let silence = [Float](repeating: 0, count: 44_100)
        let samples = startsLoud ? noise + silence : silence + noise
        try SampleWriter.write(
            samples, to: directory.file(name), sampleRate: 44_100, format: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III,
            isVariable: true)
        return (samples, try directory.read(name))
    }

    @Test(arguments: [true, false])
    func `an MP3 without its length is played to its end, whatever the first frame lets expect`(
        startsLoud: Bool
    ) throws {
        let (samples, bytes) = try writeMP3(startsLoud: startsLoud, to: "whole.mp3")
        let whole = try read("whole.mp3")
        #expect(whole.samples.count == samples.count && whole.truncation == nil)
        // The first frame holds no sound, but the length.
        let second = try #require(
            bytes.indices.dropFirst(4).first { bytes[$0] == 0xff && bytes[$0 + 1] == bytes[1] })
        let sound = Data(bytes[second...])
        // Tags of both kinds.
        let (front, back) = (Data([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 10]) + Data(count: 10), Data("TAG".utf8))
        for content in [sound, front + sound + back + Data(count: 125)] {
            try write(content, to: "kick.mp3")
            let file = try read("kick.mp3")
            // Without the header, the decoder keeps the encoder's delay.
            #expect((samples.count...samples.count + 4000).contains(file.samples.count), "\(file.samples.count)")
            #expect(file.truncation == nil)
            let middle = file.samples.count / 2
            let (first, last) = (file.samples[4000..<middle - 4000].rms, file.samples[(middle + 4000)...].rms)
            #expect(startsLoud ? first > 10 * last : last > 10 * first)
        }
    }

    @Test func `an MP3 that declares more than there is is played, and truncated`() throws {
        let (samples, bytes) = try writeMP3(startsLoud: true, to: "kick.mp3")
        try write(Data(bytes.prefix(bytes.count / 2)), to: "kick.mp3")
        let file = try read("kick.mp3")
        #expect((10_000..<samples.count).contains(file.samples.count))
        #expect(file.truncation == .frames(file.samples.count, of: samples.count))
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
