import CSndFile
import Foundation
import Media
import SystemSupport
import TestSupport
import Testing

@Suite struct AudioFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Two different channels, with samples at and beyond full scale.
    private let samples: [Float] = [0, 0.5, -0.5, 0.25, 1, -1, 1.5, -2, 0.123_456_7, -1 / 3]

    private func write(_ name: String, _ layout: AudioFile.Layout) throws {
        let file = try AudioFile(path: directory.file(name), layout: layout)
        try file.write(interleaved: Array(samples[..<4]))
        try file.write(interleaved: Array(samples[4...]))
        #expect(file.frameCount == samples.count / layout.channels)
        try file.finish()
    }

    @Test func `WAV has 24-bit samples, rounded, clipped at full scale, in order`() throws {
        try write("x.wav", .init(sampleRate: 44_100))
        let wav = try wave("x.wav")
        #expect((wav.bits, wav.isFloat, wav.channelCount, wav.sampleRate) == (24, false, 2, 44_100))
        let expected = samples.map { min(max((Double($0) * 0x1p23).rounded(.toNearestOrEven), -0x1p23), 0x1p23 - 1) }
        let channels = wav.channels
        #expect((0..<samples.count).map { Double(channels[$0 % 2][$0 / 2]) * 0x1p23 } == expected)
    }

    @Test func `floats are stored exactly, even beyond full scale`() throws {
        try write("x.wav", .init(sampleFormat: .float32))
        let wav = try wave("x.wav")
        #expect((wav.bits, wav.isFloat, wav.channelCount, wav.sampleRate) == (32, true, 2, 48_000))
        #expect(wav.data.elementsEqual(samples.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }))
    }

    @Test func `FLAC holds the same 24-bit samples as WAV`() throws {
        let layout = AudioFile.Layout(sampleRate: 96_000, channels: 1)
        try write("x.wav", layout)
        try write("X.FLAC", layout)
        let flac = try decode("X.FLAC")
        #expect(flac.info.format & Int32(SF_FORMAT_TYPEMASK) == Int32(SF_FORMAT_FLAC))
        #expect(flac.info.samplerate == 96_000 && flac.info.channels == 1)
        #expect(try flac.samples == decode("x.wav").samples)
    }

    @Test func `a WAV file that is expected to exceed 4 GiB has 64 bits for its lengths, if that is allowed`() throws {
        let layout = AudioFile.Layout(sampleFormat: .float32)
        let frames = (4 << 30) / 8
        #expect(throws: AudioFileError.self) {
            try AudioFile(path: directory.file("x.wav"), layout: layout, expecting: frames)
        }
        let file = try AudioFile(path: directory.file("x.wav"), layout: layout, expecting: frames, allowsRF64: true)
        #expect(file.maximumFrames > frames)
        try file.write(interleaved: samples)
        try file.finish()
        let bytes = try directory.read("x.wav")
        #expect(bytes[..<16].elementsEqual(Array("RF64".utf8) + [0xff, 0xff, 0xff, 0xff] + Array("WAVEds64".utf8)))
        func size(at offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        // The sizes of the file and of its samples (EBU Tech 3306).
        #expect(size(at: 20) == UInt64(bytes.count - 8))
        #expect(size(at: 28) == UInt64(4 * samples.count))
        #expect(try decode("x.wav").info.frames == samples.count / 2)
        let short = try AudioFile(path: directory.file("y.wav"), layout: layout, expecting: 1000, allowsRF64: true)
        try short.finish()
        #expect(try directory.read("y.wav").starts(with: Array("RIFF".utf8)))
    }

    @Test func `a file without a name can be read in parts, and leaves nothing`() throws {
        let file = try AudioFile(path: directory.file("x.wav"), layout: .init(sampleFormat: .float32))
        try file.write(interleaved: samples)
        let unnamed = try file.finishUnnamed()
        #expect(try directory.names == [])
        try write("y.wav", .init(sampleFormat: .float32))
        let whole = try directory.read("y.wav")
        #expect(unnamed.size == whole.count)
        #expect(try unnamed.bytes(from: 0, count: whole.count) == whole)
        #expect(try unnamed.bytes(from: 7, count: 10) == Array(whole[7..<17]))
        #expect(try unnamed.bytes(from: whole.count - 3, count: 10) == Array(whole.suffix(3)))
        #expect(try unnamed.bytes(from: whole.count, count: 10) == [])
    }

    @Test func `NaN becomes silence in integer formats`() throws {
        let file = try AudioFile(path: directory.file("x.wav"))
        try file.write(interleaved: [.nan, -.nan, .infinity, -.infinity])
        try file.finish()
        #expect(try decode("x.wav").samples == [0, 0, 0x7fff_ff00, .min])
    }

    @Test func `equal samples give equal bytes`() throws {
        for sampleFormat in [AudioFile.SampleFormat.integer24, .float32] {
            try write("a.wav", .init(sampleFormat: sampleFormat))
            let first = try directory.read("a.wav")
            try write("a.wav", .init(sampleFormat: sampleFormat))
            #expect(try directory.read("a.wav") == first)
        }
    }

    @Test func `the file appears when finished, and not at all if discarded`() throws {
        try directory.write("old", to: "x.wav")
        do {
            let file = try AudioFile(path: directory.file("x.wav"))
            try file.write(interleaved: samples)
        }
        #expect(try directory.read("x.wav") == Array("old".utf8))
        #expect(try directory.names == ["x.wav"])
        try write("x.wav", .init())
        #expect(try wave("x.wav").data.count == samples.count * 3)
    }

    @Test(arguments: ["x.wav", "x.flac"])
    func `a file that has appeared is readable while it is written, and stays`(name: String) throws {
        try directory.write("old", to: name)
        let stretch = (0..<2 * 10_000).map { Float($0 % 65_536 - 32_768) / 32_768 }
        do {
            let file = try AudioFile(path: directory.file(name), layout: .init(sampleFormat: .integer16))
            #expect(try directory.read(name) == Array("old".utf8))
            try file.appear()
            #expect(try decodedInfo(name).channels == 2)
            for count in 1...3 {
                try file.write(interleaved: stretch)
                let found = try decode(name).samples
                // FLAC lacks less than a block and a frame.
                let whole = name == "x.wav" ? count * 10_000 : (count * 10_000 - 1) / 4096 * 4096
                #expect(found.count == 2 * whole)
                #expect((0..<2 * whole).allSatisfy { found[$0] == Int32(stretch[$0 % 20_000] * 0x1p31) })
            }
        }
        #expect(try directory.names == [name])
        #expect(try decodedInfo(name).frames > 20_000)
    }

    @Test(arguments: ["x.wav", "x.flac"])
    func `a file that has appeared is the same in the end as another`(name: String) throws {
        try write("y\(name)", .init())
        let file = try AudioFile(path: directory.file(name))
        try file.appear()
        try file.write(interleaved: Array(samples[..<4]))
        try file.appear()
        try file.write(interleaved: Array(samples[4...]))
        try file.finish()
        #expect(try directory.read(name) == directory.read("y\(name)"))
    }

    @Test func `a file without frames is valid`() throws {
        try AudioFile(path: directory.file("x.wav")).finish()
        #expect(try wave("x.wav").data.isEmpty)
    }

    @Test func `an impossible format or path is refused before anything is created`() throws {
        #expect(throws: AudioFileError.unknownFormat(path: directory.file("x.mp3"))) {
            try AudioFile(path: directory.file("x.mp3"))
        }
        let reason = "\(directory.file("x.flac")): a FLAC file cannot hold 2 channels of 32-bit floats at 48000 Hz"
        #expect(throws: AudioFileError.unsupported(reason: reason)) {
            try AudioFile(path: directory.file("x.flac"), layout: .init(sampleFormat: .float32))
        }
        for layout in [
            AudioFile.Layout(sampleRate: 0), .init(sampleRate: -1), .init(channels: 0), .init(channels: .max),
        ] {
            #expect(throws: AudioFileError.self) { try AudioFile(path: directory.file("x.wav"), layout: layout) }
        }
        let missing = directory.file("none/x.wav")
        #expect(throws: AudioFileError.io(reason: "cannot create \(missing): No such file or directory")) {
            try AudioFile(path: missing)
        }
        #expect(try directory.names == [])
    }

    @Test func `more frames than WAV can count are refused`() throws {
        let file = try AudioFile(path: directory.file("x.wav"))
        #expect(file.maximumFrames * 6 < Int(UInt32.max))
        let count = (file.maximumFrames + 1) * 2
        // Never read: the count is checked first.
        let memory = mmap(nil, count * 4, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        let samples = UnsafeBufferPointer(start: try #require(memory).assumingMemoryBound(to: Float.self), count: count)
        defer { munmap(memory, count * 4) }
        let error = AudioFileError.tooLong(path: directory.file("x.wav"), maximumFrames: file.maximumFrames)
        #expect(throws: error) { try file.write(interleaved: samples.span) }
    }

    @Test(arguments: [("x.wav", 715_827_200), ("x.flac", 1 << 36)])
    func `more frames than fit are refused before anything is written`(name: String, frames: Int) throws {
        let path = directory.file(name)
        let error = #expect(throws: AudioFileError.self) { try AudioFile(path: path, expecting: frames) }
        guard case .tooLong(path, let maximumFrames) = error else {
            return #expect(error == nil, "the wrong error, or none")
        }
        #expect(maximumFrames < frames)
        #expect(try directory.names == [])
        _ = try AudioFile(path: path, expecting: maximumFrames)
    }

    @Test func `a stream gets the bytes of a file, with the length in its header, and no file appears`() throws {
        try write("x.wav", .init())
        let file = try AudioFile(path: directory.file("y.wav"))
        try file.write(interleaved: samples)
        var bytes: [UInt8] = []
        try file.finish { bytes += $0 }
        #expect(try bytes == directory.read("x.wav"))
        #expect(try directory.names == ["x.wav"])
    }

    private func decodedInfo(_ name: String) throws -> SF_INFO {
        var info = SF_INFO()
        let file = try #require(sf_open(directory.file(name), Int32(SFM_READ), &info))
        sf_close(file)
        return info
    }

    /// Decodes a file with libsndfile.
    private func decode(_ name: String) throws -> (info: SF_INFO, samples: [Int32]) {
        var info = SF_INFO()
        let file = try #require(sf_open(directory.file(name), Int32(SFM_READ), &info))
        defer { sf_close(file) }
        var samples = [Int32](repeating: 0, count: Int(info.frames) * Int(info.channels))
        #expect(sf_readf_int(file, &samples, info.frames) == info.frames)
        return (info, samples)
    }

    /// Reads a file whose header tells its exact length.
    private func wave(_ name: String) throws -> WaveFile {
        let bytes = try directory.read(name)
        let length = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        try #require(bytes.starts(with: "RIFF".utf8) && bytes[8...].starts(with: "WAVE".utf8))
        try #require(length == bytes.count - 8)
        return try WaveFile(reading: bytes)
    }
}
