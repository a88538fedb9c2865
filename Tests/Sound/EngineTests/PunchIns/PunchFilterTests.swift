import Foundation
import Instrument
import Music
import TestSupport
import Testing

@testable import Engine

/// FILTER takes away the treble on its left half, and the bass on its right.
@Suite struct PunchFilterTests {
    /// The amplitude at a frequency of what comes out for an impulse.
    private func response(_ amount: Double, at frequencies: [Double], sampleRate: Double) -> [Double] {
        var rig = PunchRig([Float](repeating: 0, count: Int(sampleRate / 4)))
        rig.sampleRate = sampleRate
        let start = Int(sampleRate / 40)
        rig.mid[start] = 1
        rig.held = [(0, .holding(.filter, amount))]
        let output = rig.render().mid
        return frequencies.map { frequency in
            var (real, imaginary) = (0.0, 0.0)
            for frame in start..<output.count {
                let angle = 2 * .pi * frequency * Double(frame - start) / sampleRate
                real += Double(output[frame]) * cos(angle)
                imaginary -= Double(output[frame]) * sin(angle)
            }
            return hypot(real, imaginary)
        }
    }

    /// The analogue filter's after the bilinear transform.
    private func expected(_ amount: Double, at frequency: Double, sampleRate: Double) -> Double {
        let isHigh = amount >= 0.5
        let cutoff = isHigh ? 25 * pow(4000.0 / 25, 2 * amount - 1) : 18_000 * pow(120.0 / 18_000, 1 - 2 * amount)
        let s = tan(.pi * frequency / sampleRate) / tan(.pi * cutoff / sampleRate)
        return (isHigh ? s * s : 1) / hypot(1 - s * s, s / 1.4)
    }

    @Test(arguments: [0, 0.1, 0.33, 0.49, 0.5, 0.6, 0.8, 1], [44_100, 48_000, 96_000, 192_000.0])
    func `it follows its formula within 0.2 dB`(amount: Double, sampleRate: Double) {
        let frequencies = [31.0, 100, 130, 450, 1400, 3900, 9000, 15_000]
        let measured = response(amount, at: frequencies, sampleRate: sampleRate)
        for (frequency, level) in zip(frequencies, measured) {
            let formula = expected(amount, at: frequency, sampleRate: sampleRate)
            // What is left of the deepest is less than samples can say.
            if formula < 1e-4 { continue }
            #expect(abs(decibels(level) - decibels(formula)) < 0.2, "\(frequency) Hz")
        }
    }

    private static let sine = (0..<48_000).map { Float(0.25 * sin(2 * .pi * 220 * Double($0) / 48_000)) }

    @Test(arguments: [(0.0, 1.0), (0.2, 0.8), (1, 0.4), (0.45, 0.55), (0, 0.4), (1, 0.6)])
    func `it enters, moves and leaves without a step, and then does nothing`(from: Double, to: Double) {
        var rig = PunchRig(Self.sine)
        rig.held = [(10_007, .holding(.filter, from)), (20_011, .holding(.filter, to)), (30_003, PunchIns())]
        let output = rig.render([64]).mid
        // At its cutoff it is up to 3.5 dB louder, and when that passes the sine, the phase catches up with the input.
        #expect(output.steepestStep <= 1.7 * Self.sine.steepestStep + 0.002)
        #expect(output[..<10_007] == Self.sine[..<10_007] && output[30_243...] == Self.sine[30_243...])
        #expect(output[15_000..<20_000] != Self.sine[15_000..<20_000])
    }

    @Test func `both filters have their state when the finger crosses the middle`() {
        // Low enough that a filter without its state would need 30 ms.
        var rig = PunchRig((0..<48_000).map { Float(0.25 * sin(2 * .pi * 50 * Double($0) / 48_000)) })
        rig.held = [(1000, .holding(.filter, 0.499)), (24_000, .holding(.filter, 0.501))]
        let output = rig.render().mid
        var held = rig
        held.held = [(1000, .holding(.filter, 0.501))]
        let distance = zip(held.render().mid, output).dropFirst(26_000).map { abs($0 - $1) }.max()!
        #expect(distance < 3e-3)
    }

    @Test func `its sound ends after its input, and it wakes as a new one`() {
        let sound = (0..<200).map { Float(sin(0.3 * Double($0))) }
        let silence = [Float](repeating: 0, count: 48_024)
        var rig = PunchRig(silence + sound + silence + sound + silence)
        rig.held = [(100, .holding(.filter, 0.7))]
        let output = rig.render([100]).mid
        let isTheSame = output[48_024..<96_248].elementsEqual(output[96_248..<144_472]) {
            $0.bitPattern == $1.bitPattern
        }
        #expect(isTheSame && output[48_224...].contains { $0 != 0 } && output[90_000..<96_000].allSatisfy { $0 == 0 })
    }

    @Test func `mid and side are filtered alike`() {
        var rig = PunchRig(Self.sine)
        rig.side = rig.mid.map { -0.5 * $0 }
        rig.held = [(5000, .holding(.filter, 0.2))]
        let output = rig.render([100])
        for frame in 0..<48_000 { #expect(abs(output.side![frame] + 0.5 * output.mid[frame]) < 1e-6) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any stretches give the same`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rig = PunchRig(Self.sine)
        var frame = Int.random(in: 0..<2000, using: &random)
        while frame < 40_000 {
            let isHeld = Int.random(in: 0..<4, using: &random) > 0
            rig.held.append((frame, isHeld ? .holding(.filter, .random(in: 0...1, using: &random)) : PunchIns()))
            frame += [9, 100, 300, 5000].randomElement(using: &random)!
        }
        #expect(rig.render([128]).mid == rig.render([1, 50, 128, 7]).mid)
    }
}
