import Foundation
import Music
import OfflineAudio
import PatternFormat
import TestSupport
import Testing

@testable import Engine

/// The patterns that come with the program, as music.
@Suite struct ProgrammeTests {
    private func record(_ name: String, seconds: Double) throws -> OfflineRecording {
        let pattern = try PatternFormat.decode(RepositoryFile("config/\(name).json").content)
        return OfflineDriver.playing(Score(Document(pattern: pattern))).record(seconds: seconds)
    }

    @Test func `the demo is at -15 to -13 LUFS, and never at full scale`() throws {
        // Three times round.
        let demo = try record("demo", seconds: 12.9)
        let loudness = Loudness.integrated(demo[.mainLeft], demo[.mainRight], sampleRate: 48_000)
        #expect((-15 ... -13).contains(loudness), "\(loudness) LUFS")
        #expect(decibels(max(demo[.mainLeft].peak, demo[.mainRight].peak)) < -0.5)
    }

    @Test(arguments: ["house", "trap", "ambient"])
    func `the other mixes are as loud as records are, and wide`(name: String) throws {
        let mix = try record("mixes/\(name)", seconds: 8)
        let (left, right) = (mix[.mainLeft], mix[.mainRight])
        let loudness = Loudness.integrated(left, right, sampleRate: 48_000)
        #expect((-24 ... -11).contains(loudness), "\(loudness) LUFS")
        #expect(max(left.peak, right.peak) < 1)
        let side = zip(left, right).map { $0 - $1 }.rms / zip(left, right).map { $0 + $1 }.rms
        #expect(decibels(side) > -30)
    }
}
