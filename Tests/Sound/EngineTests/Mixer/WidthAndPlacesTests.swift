import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// What spreads a track over both sides: the drums' places, and the width.
@Suite struct WidthAndPlacesTests {
    private static let drums = Drum.allCases.map { TestNote(track: .rhythm, note: $0.rawValue, step: 2 * $0.rawValue) }

    private func score(kit: Int, places: Double) -> Score {
        var score = Score.with(Self.drums, bpm: 240)
        score.parameters[.kit, Track.rhythm.rawValue] = Double(kit)
        score.parameters[.places, Track.rhythm.rawValue] = places
        score.parameters[.reverb, Track.rhythm.rawValue] = -6
        return score
    }

    @Test(arguments: 0..<Track.rhythm.soundNames.count)
    func `places leave port, sends and mono as they are`(kit: Int) {
        let plain = OfflineDriver.playing(score(kit: kit, places: 0)).record(seconds: 1.6)
        let wide = OfflineDriver.playing(score(kit: kit, places: 1)).record(seconds: 1.6)
        for port in [EnginePort.track(.rhythm)] + EnginePort.reverb {
            let isTheSame = wide[port].elementsEqual(plain[port]) { $0.bitPattern == $1.bitPattern }
            #expect(isTheSame, "\(port)")
        }
        var (fold, side) = (0.0, 0.0)
        for frame in wide[.mainLeft].indices {
            let mono = plain[.mainLeft][frame] + plain[.mainRight][frame]
            fold = max(fold, abs(Double(wide[.mainLeft][frame] + wide[.mainRight][frame] - mono)))
            side = max(side, abs(Double(wide[.mainRight][frame] - wide[.mainLeft][frame])))
        }
        #expect(fold < 1e-6 && side > 0.01)
    }

    @Test(arguments: Drum.allCases)
    func `each drum is where its kit says`(drum: Drum) {
        for (index, name) in Track.rhythm.soundNames.enumerated() {
            var score = Score.with([TestNote(track: .rhythm, note: drum.rawValue, step: 0)], bpm: 60)
            score.parameters[.kit, Track.rhythm.rawValue] = Double(index)
            score.parameters[.places, Track.rhythm.rawValue] = 0.5
            let heard = OfflineDriver.playing(score).record(seconds: 0.1)
            let place = KitDescription.byName[name]!.drums[drum.rawValue].place
            for frame in heard[.mainLeft].indices {
                let (left, right) = (Double(heard[.mainLeft][frame]), Double(heard[.mainRight][frame]))
                #expect(abs((right - left) / 2 - 0.5 * place * (right + left) / 2) < 1e-6)
            }
        }
    }

    @Test func `kicks, snares and rimshot are in the middle, both hats on one side, the others further out on both`() {
        for kit in KitDescription.all {
            let places = Dictionary(uniqueKeysWithValues: Drum.allCases.map { ($0, kit.drums[$0.rawValue].place) })
            for drum in [Drum.kick, .kick2, .snare, .snare2, .rimshot] { #expect(places[drum] == 0) }
            #expect(places[.closedHat] == 0.25 && places[.openHat] == 0.25)
            let others = [Drum.ride, .crash, .clap, .lowTom].map { places[$0]! }
            #expect(others.allSatisfy { abs($0) > 0.25 } && others.min()! < 0 && others.max()! > 0)
        }
    }

    @Test func `places move without a step`() {
        var played = score(kit: 1, places: 0)
        let still = OfflineDriver.playing(played).record(seconds: 1)
        let driver = OfflineDriver.playing(played)
        for (frame, places) in [(9000, 1.0), (20_000, 0), (30_001, 0.4)] {
            played.parameters[.places, Track.rhythm.rawValue] = places
            driver.schedule(.score(played), at: Int64(frame))
        }
        let moved = driver.record(seconds: 1)
        #expect(moved[.mainRight].steepestStep <= 1.5 * still[.mainRight].steepestStep + 0.002)
        #expect(moved[.track(.rhythm)] == still[.track(.rhythm)])
    }

    /// A held note with a width.
    private func held(_ track: Track, preset: Int, note: Int, width: Double, seconds: Double) -> OfflineRecording {
        var score = Score.with(TestNote.sustained(track, note, count: 31), bpm: 60)
        score.parameters[.preset, track.rawValue] = Double(preset)
        score.parameters[.width, track.rawValue] = width
        return OfflineDriver.playing(score).record(seconds: seconds)
    }

    @Test(arguments: Track.allCases.filter(\.isPitched), 0..<8)
    func `a held note swings by at most 6 dB between the sides`(track: Track, preset: Int) {
        let heard = held(track, preset: preset, note: 5, width: 1, seconds: 4)
        for start in stride(from: 4800, to: 4 * 48_000 - 19_200, by: 4800) {
            let part = start..<start + 19_200
            #expect(abs(decibels(heard[.mainLeft][part].rms / heard[.mainRight][part].rms)) < 6)
        }
    }

    @Test func `what a filter rings on with keeps its width when the next note starts`() {
        let notes = stride(from: 0, to: 32, by: 2).map { TestNote(track: .bass, note: 0, step: $0) }
        var score = Score.with(notes, bpm: 300)
        for (parameter, value) in [(Parameter.filter, -0.75), (.resonance, 8), (.width, 1)] {
            score.parameters[parameter, Track.bass.rawValue] = value
        }
        let heard = OfflineDriver.playing(score).record(seconds: 1.5)
        let sides = zip(heard[.mainLeft], heard[.mainRight])
        let (mid, side) = (sides.map { ($0 + $1) / 2 }, sides.map { ($1 - $0) / 2 })
        #expect(side.rms > 0.01 && side.steepestStep <= 0.5 * mid.steepestStep)
    }

    @Test func `width is the formula: a delayed copy between the sides, and nothing in their sum`() {
        let plain = held(.chords, preset: 5, note: 3, width: 0, seconds: 0.5)
        let wide = held(.chords, preset: 5, note: 3, width: 1, seconds: 0.5)
        #expect(wide[.track(.chords)] == plain[.track(.chords)])
        let mid = plain[.track(.chords)].map(Double.init)
        let w = Double(TrackLayout.all[1].widthFactors[5])
        // A Butterworth high-pass at 150 Hz by the bilinear transform.
        let k = tan(Double.pi * 150 / 48_000)
        let root = 1.414_213_562_373_095_1
        let norm = 1 / (1 + root * k + k * k)
        let (a1, a2) = (2 * (k * k - 1) * norm, (1 - root * k + k * k) * norm)
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        var worst = 0.0
        let start = mid.firstIndex { $0 != 0 }!
        for frame in start..<mid.count {
            let age = Double(frame - start)
            let place = Double(frame) - 48 * (6.5 + 1.5 * sin(2 * Double.pi * 0.6 * age / 48_000))
            let whole = Int(floor(place))
            let x = place - Double(whole)
            func at(_ index: Int) -> Double { index < 0 ? 0 : mid[index] }
            let tap =
                at(whole - 1) * (-x * (x - 1) * (x - 2) / 6) + at(whole) * ((x + 1) * (x - 1) * (x - 2) / 2)
                + at(whole + 1) * (-(x + 1) * x * (x - 2) / 2) + at(whole + 2) * ((x + 1) * x * (x - 1) / 6)
            let copy = (tap - 2 * x1 + x2) * norm - a1 * y1 - a2 * y2
            (x1, x2, y1, y2) = (tap, x1, copy, y1)
            let gain = 1 / (2 * (1 + w * w)).squareRoot()
            worst = max(worst, abs(Double(wide[.mainLeft][frame]) - gain * (mid[frame] + w * copy)))
            worst = max(worst, abs(Double(wide[.mainRight][frame]) - gain * (mid[frame] - w * copy)))
        }
        #expect(worst < 1e-4)
    }

    @Test func `width moves without a step`() {
        var score = Score.with(TestNote.sustained(.chords, 3, count: 31), bpm: 60)
        score.parameters[.preset, Track.chords.rawValue] = 5
        let still = OfflineDriver.playing(score).record(seconds: 0.6)
        let driver = OfflineDriver.playing(score)
        for (frame, width) in [(9000, 1.0), (20_000, 0), (24_001, 0.5)] {
            score.parameters[.width, Track.chords.rawValue] = width
            driver.schedule(.score(score), at: Int64(frame))
        }
        let moved = driver.record(seconds: 0.6)
        for port in [EnginePort.mainLeft, .mainRight] {
            #expect(moved[port].steepestStep <= 1.5 * still[port].steepestStep + 0.002)
        }
    }
}
