import Export
import Foundation
import Media
import Music
import TestSupport
import Testing

/// The files of a recording with stems.
@Suite(.timeLimit(.minutes(1))) struct StemFileTests {
    private static let rate = 8000
    private static let names = ["melody", "chords", "bass", "rhythm", "reverb", "delay"]
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Every track plays, wide and panned, with drive, a filter, ducking, reverb and delay.
    private var everything: Document {
        var pattern = Pattern()
        pattern.bpm = 240
        pattern.length = 8
        for track in Track.allCases {
            for step in stride(from: 0, to: 8, by: 2) { pattern[track, (step + track.rawValue) % 12, step] = .accent }
        }
        var document = Document(pattern: pattern)
        for track in Track.allCases {
            document.set(.pan, on: track, to: .number(Double(track.rawValue - 1) / 3))
            document.set(.gain, on: track, to: 6)
            document.set(.reverb, on: track, to: -12)
            document.set(.delay, on: track, to: -12)
            document.set(.drive, on: track, to: 0.4)
        }
        document.set(.duck, on: .bass, to: 9)
        document.set(.width, on: .chords, to: 1)
        document.set(.places, on: .rhythm, to: 1)
        return document
    }

    private func options(stems: Bool) -> RecordingOptions {
        var options = RecordingOptions()
        options.sampleRate = Self.rate
        options.sampleFormat = .float32
        options.hasStems = stems
        return options
    }

    /// The samples of a WAV file of floats.
    private func samples(_ name: String) throws -> [Float] {
        let bytes = try Data(contentsOf: URL(filePath: directory.file(name)))
        let data = try #require(bytes.range(of: Data("data".utf8))).upperBound + 4
        return stride(from: data, to: bytes.count, by: 4).map { offset in
            Float(bitPattern: bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    /// What the limiter makes of a sample, by its formula.
    private func limited(_ sample: Float) -> Float {
        let threshold: Float = 0.707_945_76
        let excess = (abs(sample) - threshold) / (1 - threshold)
        guard excess > 0 else { return sample }
        return (threshold + (1 - threshold) * excess / (1 + excess)) * (sample < 0 ? -1 : 1)
    }

    @Test func `the stems' sum is the mix before the limiter, and the mix is as without stems`() throws {
        _ = try Recording(of: everything, options(stems: false)).write(to: directory.file("alone.wav"))
        let frames = try Recording(of: everything, options(stems: true)).write(to: directory.file("a.wav"))
        let mix = try samples("a.wav")
        #expect(mix.count == 2 * frames)
        #expect(try mix == samples("alone.wav"))
        let stems = try Self.names.map { try samples("a.\($0).wav") }
        for (name, stem) in zip(Self.names, stems) {
            #expect(stem.count == mix.count && stem.peak > 0.01, "\(name)")
        }
        let differences = mix.indices.map { index in
            abs(limited(stems.reduce(0) { $0 + $1[index] }) - mix[index])
        }
        // -120 dBFS.
        #expect(differences.peak < 1e-6)
        #expect(mix.peak > 0.708)
    }

    @Test func `the stems do not depend on how loud the mix is made`() throws {
        var loud = everything
        loud.set(.loud, to: 6)
        _ = try Recording(of: everything, options(stems: true)).write(to: directory.file("a.wav"))
        _ = try Recording(of: loud, options(stems: true)).write(to: directory.file("b.wav"))
        #expect(try samples("a.wav").prefix(8000) != samples("b.wav").prefix(8000))
        for name in Self.names {
            let (one, other) = (try samples("a.\(name).wav"), try samples("b.\(name).wav"))
            let count = min(one.count, other.count)
            #expect(one.prefix(count) == other.prefix(count))
        }
    }

    @Test func `if one file cannot appear none does, and old files stay`() throws {
        try directory.write("old", to: "a.wav")
        try directory.write("old", to: "a.bass.wav")
        let recording = Recording(of: everything, options(stems: true))
        var isBlocked = false
        #expect(throws: AudioFileError.self) {
            try recording.write(to: directory.file("a.wav")) { _ in
                guard !isBlocked else { return }
                isBlocked = true
                mkdir(directory.file("a.delay.wav"), 0o700)
            }
        }
        #expect(isBlocked)
        #expect(try directory.names == ["a.bass.wav", "a.delay.wav", "a.wav"])
        for name in ["a.wav", "a.bass.wav"] { #expect(try directory.read(name) == Array("old".utf8)) }
        rmdir(directory.file("a.delay.wav"))
        _ = try recording.write(to: directory.file("a.wav"))
        #expect(try directory.names == (["a.wav"] + Self.names.map { "a.\($0).wav" }).sorted())
        #expect(try samples("a.bass.wav").peak > 0.01)
    }

    @Test func `a cancelled recording leaves no file`() throws {
        struct Cancelled: Error {}
        #expect(throws: Cancelled.self) {
            try Recording(of: everything, options(stems: true)).write(to: directory.file("a.wav")) { _ in
                throw Cancelled()
            }
        }
        #expect(try directory.names == [])
    }

    @Test(arguments: [
        ("/a/groove.wav", "/a/groove.melody.wav"), ("/a.b/groove.WAV", "/a.b/groove.melody.WAV"),
        ("one.two.wav", "one.two.melody.wav"),
    ])
    func `a stem's file is named like the mix's`(mix: String, stem: String) {
        #expect(Stem.all[0].path(beside: mix) == stem)
    }
}
