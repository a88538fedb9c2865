import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The track's filter.
@Suite struct FilterTests {
    /// The amplitude of the impulse response at a frequency.
    private func response(_ value: Double, q: Double, at frequency: Double, sampleRate: Double) -> Double {
        var rig = StripRig(mid: [1] + [Float](repeating: 0, count: Int(sampleRate / 2)), sampleRate: sampleRate)
        var filter = TrackFilter(sampleRate: sampleRate)
        rig.render { filter.render($0, StripRig.line(value), q: StripRig.line(q), $1) }
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in rig.mid.enumerated() {
            let angle = 2 * .pi * frequency * Double(frame) / sampleRate
            real += Double(sample) * cos(angle)
            imaginary -= Double(sample) * sin(angle)
        }
        return hypot(real, imaginary)
    }

    /// What the filter's formula says: the analogue prototype after the bilinear transform.
    private func expected(_ value: Double, q: Double, at frequency: Double, sampleRate: Double) -> Double {
        let cutoff =
            value < 0 ? 20_000 * pow(80.0 / 20_000, -value) : 20 * pow(8000.0 / 20, value)
        let s = tan(.pi * frequency / sampleRate) / tan(.pi * min(cutoff, 0.42 * sampleRate) / sampleRate)
        // H = 1 or s^2, over 1 + s/Q + s^2, with s imaginary.
        let (real, imaginary) = (1 - s * s, s / q)
        let size = real * real + imaginary * imaginary
        let top = value < 0 ? 1 : -s * s
        let wet = min(1, abs(value) / 0.02)
        return hypot(1 - wet + wet * top * real / size, wet * top * imaginary / size)
    }

    @Test(arguments: [-1, -0.6, -0.25, -0.01, 0.01, 0.3, 0.7, 1], [(0.707, 48_000.0), (4, 44_100), (0.5, 96_000)])
    func `it follows its formula`(value: Double, setting: (q: Double, rate: Double)) {
        for frequency in [30.0, 110, 400, 1500, 5000, 12_000, 18_000] {
            let measured = response(value, q: setting.q, at: frequency, sampleRate: setting.rate)
            let formula = expected(value, q: setting.q, at: frequency, sampleRate: setting.rate)
            #expect(abs(measured - formula) < 1e-3 + 0.01 * formula, "\(frequency) Hz")
        }
    }

    @Test func `at 0 it does nothing, and costs nothing`() {
        let filter = TrackFilter(sampleRate: 48_000)
        #expect(!filter.isOn(StripRig.line(0)) && filter.isOn(StripRig.line(0.001)) && filter.isResting)
    }

    @Test(arguments: [(-0.6, 0.7), (0, -1), (1, 0), (-0.3, 0.01)])
    func `it moves without a step, through dry where it changes sides`(from: Double, to: Double) {
        let sine = (0..<9600).map { Float(0.5 * sin(2 * .pi * 220 * Double($0) / 48_000)) }
        var rig = StripRig(mid: sine)
        var filter = TrackFilter(sampleRate: 48_000)
        var ramp = GainRamp(Float(from))
        rig.render([64]) { stretch, input in
            if stretch.frame == 4800 { ramp.move(to: Float(to), frames: 192) }
            let line = GainLine(ramp)
            if filter.isOn(line) { filter.render(stretch, line, q: StripRig.line(0.707), input) }
            ramp.advance(stretch.count)
        }
        #expect(rig.mid.steepestStep <= sine.steepestStep + 0.002)
        if to == 0 { #expect(rig.mid[6000...] == sine[6000...]) }
    }

    @Test func `mid and side are filtered alike`() {
        var random = SeededGenerator(seed: 3)
        let noise = (0..<4000).map { _ in Float.random(in: -0.5...0.5, using: &random) }
        var rig = StripRig(mid: noise, side: noise.map { 0.25 * $0 })
        var filter = TrackFilter(sampleRate: 48_000)
        rig.render([77]) { filter.render($0, StripRig.line(-0.4), q: StripRig.line(3), $1) }
        for frame in 0..<4000 { #expect(abs(0.25 * rig.mid[frame] - rig.side![frame]) < 1e-6) }
    }

    @Test func `after its sound it rests, and wakes as a new one`() {
        let sound = (0..<200).map { Float(sin(0.3 * Double($0))) }
        let silence = [Float](repeating: 0, count: 48_024)
        // The second sound begins on a point of the grid, as the first does.
        var rig = StripRig(mid: sound + silence + sound + silence)
        var filter = TrackFilter(sampleRate: 48_000)
        var restCount = 0
        rig.render([100]) { stretch, input in
            filter.render(stretch, StripRig.line(-0.8), q: StripRig.line(6), input)
            if filter.isResting { restCount += 1 }
        }
        #expect(restCount > 500 && filter.isResting)
        let isTheSame = rig.mid[..<48_224].elementsEqual(rig.mid[48_224...]) { $0.bitPattern == $1.bitPattern }
        #expect(isTheSame)
    }
}
