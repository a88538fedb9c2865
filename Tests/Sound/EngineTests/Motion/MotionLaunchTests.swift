import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Motions belong to their slots, and do not depend on how frames are divided into periods.
@Suite struct MotionLaunchTests {
    /// The same notes in both slots; the second is 12 dB softer.
    private func score(known: Int64, slot: Int32, launching: Int64) -> Score {
        var score = Score.with((0..<32).map { TestNote(track: .bass, note: 9, step: $0) })
        let notes = score.notes
        for other in 1...2 { score.setNotes(notes, slot: other) }
        let bass = Track.bass.rawValue
        score[Slot(.bass, 0)].motions = TrackMotions([(.gain, [0: 0])], length: 32)
        score[Slot(.bass, 1)].motions = TrackMotions([(.gain, [0: -12])], length: 32)
        score.launches[bass].playing = slot
        score.launches[bass].known = known
        if launching > 0 { score.launches[bass].queue(TrackLaunches([1]), number: launching) }
        score.parameters[.launchQuantum] = Double(LaunchQuantum.bar.rawValue)
        return score
    }

    private func level(_ samples: ArraySlice<Float>) -> Double {
        10 * log10(samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count))
    }

    @Test func `a launched slot's motions apply from its frame on, even under scores that do not know of the launch`() {
        let driver = OfflineDriver.playing(score(known: 0, slot: 0, launching: 0))
        driver.schedule(.score(score(known: 0, slot: 0, launching: 1)), at: 20_000)
        // After the launch: a score that still asks for it, one that asks for another slot, and one that includes it.
        driver.schedule(.score(score(known: 0, slot: 0, launching: 1)), at: 110_000)
        var other = score(known: 0, slot: 0, launching: 2)
        other[Slot(.bass, 2)].motions = TrackMotions([(.gain, [0: 6])], length: 32)
        other.launches[Track.bass.rawValue].queue(TrackLaunches([2]), number: 2)
        driver.schedule(.score(other), at: 120_000)
        driver.schedule(.score(score(known: 1, slot: 1, launching: 0)), at: 140_000)
        let samples = driver.record(seconds: 4)[.track(.bass)]
        var (plain, launched) = (score(known: 0, slot: 0, launching: 0), score(known: 0, slot: 0, launching: 1))
        plain.clearMotions()
        launched.clearMotions()
        let still = OfflineDriver.playing(plain)
        still.schedule(.score(launched), at: 20_000)
        let reference = still.record(seconds: 4)[.track(.bass)]
        for (frames, decibels) in [
            (80_000..<96_000, 0.0), (97_000..<109_000, -12), (111_000..<119_000, -12), (121_000..<139_000, -12),
            (141_000..<160_000, -12),
        ] {
            #expect(abs(level(samples[frames]) - level(reference[frames]) - decibels) < 0.3, "\(frames)")
        }
    }

    /// Everything moves, while slots, scores, tempo, place and transport change.
    private func driver(seed: UInt64) -> OfflineDriver {
        var random = SeededGenerator(seed: seed)
        func move(_ score: inout Score, length: Double) {
            func motions() -> TrackMotions {
                TrackMotions(
                    Parameter.movable.map { parameter in
                        var points: [Int: Double] = [:]
                        for _ in 0..<4 {
                            let step = Int.random(in: 0..<32, using: &random)
                            points[step] = Double.random(in: parameter.row.motion!, using: &random)
                        }
                        return (parameter, points)
                    }, length: Int(length))
            }
            for track in Track.allCases {
                for slot in 0...1 { score[Slot(track, slot)].motions = motions() }
            }
        }
        var score = InvarianceTests.busyScore(seed: seed, bpm: 287.3)
        move(&score, length: 32)
        score.parameters[.delaySteps] = 1
        let driver = OfflineDriver.playing(score)
        score.setNotes(score.notes, slot: 1)
        for track in 0..<4 { score.launches[track].queue(TrackLaunches([1], .now), number: 1) }
        driver.schedule(.score(score), at: 3001)
        move(&score, length: 11)
        score.parameters[.length] = 11
        score.parameters[.tempo] = 90
        driver.schedule(.score(score), at: 7003)
        driver.schedule(.command(.locate(step: 7)), at: 9001)
        driver.schedule(.command(.stop), at: 12_345)
        driver.schedule(.command(.audition(track: 1, notes: 5, velocity: 2)), at: 13_001)
        driver.schedule(.command(.play), at: 15_005)
        score.clearMotions()
        driver.schedule(.score(score), at: 19_999)
        return driver
    }

    @Test(arguments: [[16], [64], [1000], [8192], [64, 17, 1000, 3, 256]])
    func `motions give the same bits in any periods`(periods: [Int]) {
        let reference = driver(seed: 1).record(frames: 24_000, periods: [512])
        let recording = driver(seed: 1).record(frames: 24_000, periods: periods)
        for port in EnginePort.audio {
            #expect(reference[port].peak > 0.001, "\(port)")
            let first = zip(recording[port], reference[port]).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }
            #expect(first == nil, "\(port), frame \(first?.offset ?? 0)")
        }
    }
}
