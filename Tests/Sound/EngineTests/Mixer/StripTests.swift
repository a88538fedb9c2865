import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// A strip with everything on.
@Suite struct StripTests {
    /// A busy score in which all parts of all strips are on, and some of them move.
    static func fullScore(seed: UInt64) -> Score {
        var score = InvarianceTests.busyScore(seed: seed)
        var random = SeededGenerator(seed: seed)
        for track in Track.allCases {
            for parameter in [Parameter.drive, .width, .places] {
                score.parameters[parameter, track.rawValue] = .random(in: 0.2...1, using: &random)
            }
            score.parameters[.filter, track.rawValue] = .random(in: -0.8...0.6, using: &random)
            score.parameters[.resonance, track.rawValue] = .random(in: 0.5...8, using: &random)
            score.parameters[.reverb, track.rawValue] = -9
        }
        score.parameters[.kit, Track.rhythm.rawValue] = Double(seed % 5)
        score.move((.melody, .filter, [0: -1, 9: 0.7, 20: 0]), (.rhythm, .drive, [3: 0, 8: 1, 9: 0]))
        score.move((.bass, .width, [0: 0, 16: 1]))
        return score
    }

    private func driver(seed: UInt64) -> OfflineDriver {
        let driver = OfflineDriver.playing(Self.fullScore(seed: seed))
        driver.schedule(.score(Self.fullScore(seed: seed + 1)), at: 5003)
        driver.schedule(.score(InvarianceTests.busyScore(seed: seed)), at: 9001)
        driver.schedule(.score(Self.fullScore(seed: seed + 2)), at: 9900)
        driver.schedule(.command(.stop), at: 13_777)
        driver.schedule(.command(.play), at: 14_600)
        driver.schedule(.command(.stop), at: 17_000)
        driver.schedule(.command(.audition(track: 3, notes: 0b1001_1001, velocity: 2)), at: 19_050)
        driver.schedule(.command(.audition(track: 1, notes: 0b1001, velocity: 1)), at: 20_001)
        return driver
    }

    @Test(arguments: [[16], [64], [256], [1000], [8192], [64, 17, 1000, 3, 256]], [UInt64(1), 5])
    func `any periods give the same bits`(periods: [Int], seed: UInt64) {
        let reference = driver(seed: seed).record(frames: 26_000, periods: [512])
        let recording = driver(seed: seed).record(frames: 26_000, periods: periods)
        for port in EnginePort.audio {
            let isTheSame = zip(recording[port], reference[port]).allSatisfy { $0.bitPattern == $1.bitPattern }
            #expect(isTheSame, "\(port)")
        }
        #expect(reference[.mainLeft].peak > 0.01 && reference[.mainLeft] != reference[.mainRight])
    }

    @Test(arguments: [44_100.0, 88_200, 96_000, 192_000])
    func `every rate plays`(sampleRate: Double) {
        let recording = OfflineDriver.playing(Self.fullScore(seed: 3), sampleRate: sampleRate).record(
            frames: Int(sampleRate / 8), periods: [16, 8192, 1, 440])
        for port in EnginePort.audio {
            #expect(recording[port].allSatisfy { $0.isFinite }, "\(port)")
        }
        #expect(recording[.mainLeft].peak > 0.01)
    }
}
