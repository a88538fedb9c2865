import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The room before the reverb: early reflections, and the low cut.
@Suite struct EarlyReflectionTests {
    @Test(arguments: [44_100.0, 48_000, 96_000])
    func `the first sound comes within 10 ms, on both sides at other times`(sampleRate: Double) {
        let response = ReverbResponse(time: 1.8, early: 0.6, seconds: 0.05, sampleRate: sampleRate)
        let (left, right) = (Double(response.left.onset!), Double(response.right.onset!))
        #expect(abs(left / sampleRate - 0.008) < 1 / sampleRate)
        #expect(abs(right / sampleRate - 0.0091) < 1 / sampleRate)
    }

    @Test(arguments: [(0.7, 0.6), (1.8, 0.6), (1.8, 1)])
    func `the response is dense at 50 ms, where without them it is sparse`(time: Double, early: Double) {
        let (with, without) = (
            ReverbResponse(time: time, early: early, seconds: 0.1), ReverbResponse(time: time, seconds: 0.1)
        )
        for (dense, sparse) in [(with.left, without.left), (with.right, without.right)] {
            let density = ReverbResponse.density(dense, at: 0.05, sampleRate: 48_000)
            #expect(density >= 0.7, "\(density)")
            Figures.show("DENSITY in percent, \(time) s, \(early)", decibels: 100 * density)
            #expect(ReverbResponse.density(sparse, at: 0.05, sampleRate: 48_000) < 0.3)
        }
    }

    @Test(arguments: [0.7, 1.8, 4], [0.6, 1])
    func `the reverb is as loud as without them`(time: Double, early: Double) {
        let seconds = 0.8 * time + 0.2
        let difference =
            ReverbResponse(time: time, early: early, seconds: seconds).loudness
            - ReverbResponse(time: time, seconds: seconds).loudness
        #expect(abs(difference) < 0.5, "\(difference) dB")
        Figures.show("EARLY loudness, \(time) s, \(early)", decibels: difference)
    }

    @Test(arguments: [(0.7, 0.6), (1.8, 0.6), (1.8, 1)])
    func `it decays as without them`(time: Double, early: Double) {
        let response = ReverbResponse(time: time, early: early, seconds: 0.8 * time)
        let low = response.decay(around: 500)
        let bands = stride(from: 5700.0, through: 6300, by: 100)
        let high = bands.reduce(0) { $0 + response.decay(around: $1) } / 7
        #expect(abs(low / time - 1) < 0.05, "\(low) s at 500 Hz")
        #expect(abs(high / (0.39 * time) - 1) < 0.05, "\(high) s at 6 kHz")
    }

    @Test func `left and right are as different as in the reverb`() {
        let response = ReverbResponse(time: 1.8, early: 1, seconds: 0.1)
        let product = zip(response.left, response.right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let power = response.left.rms * response.right.rms * Double(response.left.count)
        #expect(abs(product / power) < 0.1)
    }

    @Test(arguments: [60.0, 200, 400])
    func `the low cut takes 3 dB at its corner, and 12 dB an octave below it`(corner: Double) {
        var cut = LowCut(sampleRate: 48_000)
        cut.move(to: corner, frames: 0)
        let impulse = (0..<65_536).map { Float($0 == 0 ? 1 : 0) }
        let response = stride(from: 0, to: impulse.count, by: 4).flatMap { index -> [Float] in
            let four = cut.filter(
                Lanes(impulse[index], impulse[index + 1], impulse[index + 2], impulse[index + 3]), count: 4)
            return (0..<4).map { four[$0] }
        }
        func level(at frequency: Double) -> Double {
            let turn = 2 * Double.pi * frequency / 48_000
            let (real, imaginary) = response.indices.reduce((0.0, 0.0)) {
                (
                    $0.0 + Double(response[$1]) * cos(turn * Double($1)),
                    $0.1 + Double(response[$1]) * sin(turn * Double($1))
                )
            }
            return decibels(hypot(real, imaginary))
        }
        for (octaves, wanted) in [(-2.0, -24.1), (-1, -12.3), (0, -3.01), (1, -0.26), (3, 0)] {
            let off = level(at: corner * exp2(octaves)) - wanted
            #expect(abs(off) < 0.1, "\(off) dB off, \(octaves) octaves from the corner")
        }
    }

    @Test func `the lowest corner is at 60 Hz`() {
        let (low, lowest) = (
            ReverbResponse(time: 0.3, lowCut: 1, seconds: 0.1), ReverbResponse(time: 0.3, lowCut: 60, seconds: 0.1)
        )
        #expect(low.left == lowest.left)
    }

    @Test func `any periods give the same bits, and the end is silence`() {
        let whole = ReverbResponse(time: 0.3, early: 0.6, lowCut: 200, seconds: 0.9)
        let pieces = ReverbResponse(time: 0.3, early: 0.6, lowCut: 200, seconds: 0.9, periods: [1, 64, 17, 300])
        let areTheSame = whole.left == pieces.left && whole.right == pieces.right
        #expect(areTheSame)
        #expect(whole.left.end! < 40_000)
    }

    @Test(arguments: [Parameter.reverbEarly, .reverbLowCut])
    func `they are switched without a step, at any period the same`(parameter: Parameter) {
        var played = Score.with(TestNote.sustained(.bass, 0, count: 15))
        played.parameters[.reverb, Track.bass.rawValue] = 0
        func record(_ periods: [Int], switches: Bool) -> OfflineRecording {
            var played = played
            let driver = OfflineDriver.playing(played)
            for (frame, value) in [(12_001, 1.0), (18_002, 0), (20_003, 1)] where switches {
                played.parameters[parameter] = parameter == .reverbEarly ? value : 400 * value
                driver.schedule(.score(played), at: Int64(frame))
            }
            return driver.record(seconds: 0.6, periods: periods)
        }
        let (moved, calm) = (record([512], switches: true), record([512], switches: false))
        for port in EnginePort.reverb {
            let isTheSame = record([64, 1000, 17], switches: true)[port] == moved[port]
            #expect(isTheSame && moved[port][13_000...] != calm[port][13_000...])
            #expect(moved[port].steepestStep < calm[port].steepestStep + 0.002)
        }
    }
}
