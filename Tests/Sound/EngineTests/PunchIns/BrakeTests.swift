import Foundation
import Instrument
import Music
import TestSupport
import Testing

@testable import Engine

/// BRAKE stops like a tape.
@Suite struct BrakeTests {
    private static let frequency = 440.0

    private func rig(bpm: Double = 120, sampleRate: Double = 48_000) -> PunchRig {
        var rig = PunchRig(
            (0..<Int(3.5 * sampleRate)).map { Float(0.25 * sin(2 * .pi * Self.frequency * Double($0) / sampleRate)) })
        (rig.bpm, rig.sampleRate) = (bpm, sampleRate)
        return rig
    }

    /// Frames until it stands still.
    private func fall(_ amount: Double, _ rig: PunchRig) -> Double {
        min(0.25 * pow(16, amount) * 4 * rig.stepFrames, 2 * rig.sampleRate)
    }

    /// The frame that it plays, so many frames after it began; two frames late, as interpolation looks ahead.
    private func source(_ passed: Double, _ fall: Double) -> Double {
        passed < fall ? passed - passed * passed / (2 * fall) - 2 : fall / 2 - 2
    }

    @Test(
        arguments: [0, 0.3, 0.5, 0.8, 1],
        [(120, 48_000), (97.3, 44_100), (300, 96_000), (20, 48_000), (120, 192_000)])
    func `its speed falls in a straight line, and then there is silence`(
        amount: Double, setting: (bpm: Double, rate: Double)
    ) {
        var rig = rig(bpm: setting.bpm, sampleRate: setting.rate)
        let start = 20_003
        rig.held = [(start, .holding(.brake, amount))]
        let output = rig.render([128, 31]).mid
        let (fall, fade) = (fall(amount, rig), Int(setting.rate * 0.005 + 0.5))
        var worst = 0.0
        for frame in start + fade..<start + Int(fall) {
            let played = Double(start) + source(Double(frame - start), fall)
            let expected = 0.25 * sin(2 * .pi * Self.frequency * played / setting.rate)
            worst = max(worst, abs(Double(output[frame]) - expected))
        }
        #expect(worst < 2e-5)
        #expect(output[(start + Int(fall) + fade + 1)...].allSatisfy { $0 == 0 })
        #expect(output[..<start] == rig.mid[..<start])
    }

    @Test func `the zeros of a sine are where the tape's speed puts them`() {
        var rig = rig()
        rig.held = [(24_000, .holding(.brake, 1))]
        let (output, fall) = (rig.render().mid, fall(1, rig))
        var count = 0
        for frame in 24_300..<24_000 + Int(fall) where output[frame] < 0 && output[frame + 1] >= 0 {
            let share = Double(output[frame] / (output[frame] - output[frame + 1]))
            let played = 24_000 + source(Double(frame) + share - 24_000, fall)
            let turns = played * Self.frequency / 48_000
            #expect(abs(turns - turns.rounded()) < 1e-3)
            count += 1
        }
        // A second of the tape.
        #expect(count > 430)
    }

    @Test func `a finger that moves changes how fast the speed falls from then on`() {
        var rig = rig()
        rig.held = [(24_000, .holding(.brake, 1)), (48_000, .holding(.brake, 0.5))]
        let output = rig.render().mid
        // Four beats are limited to two seconds; a quarter of them has passed. Then it would take one beat.
        let (speed, behind, fall) = (0.75, 24_000.0 * 24_000 / (2 * 96_000), 0.75 * 24_000)
        for frame in stride(from: 48_000, to: 48_000 + Int(fall), by: 13) {
            let passed = Double(frame - 48_000)
            let played = 48_000 - behind - 2 + speed * passed - passed * passed / (2 * 24_000)
            #expect(abs(Double(output[frame]) - 0.25 * sin(2 * .pi * Self.frequency * played / 48_000)) < 2e-5)
        }
        #expect(output[(48_000 + Int(fall) + 241)...].allSatisfy { $0 == 0 })
    }

    @Test func `a tape that stands still remains still`() {
        var rig = rig()
        rig.held = [(24_000, .holding(.brake, 0)), (48_000, .holding(.brake, 1))]
        #expect(rig.render().mid[31_000...].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [24_100, 25_000, 29_000, 60_000])
    func `it enters and leaves without a step, and then does nothing`(end: Int) {
        var rig = rig()
        rig.held = [(24_001, .holding(.brake, 0.3)), (end, PunchIns())]
        let output = rig.render([64]).mid
        #expect(output.steepestStep <= rig.mid.steepestStep + 0.002)
        #expect(output[(end + 240)...] == rig.mid[(end + 240)...])
    }

    @Test func `a new holder begins at full speed`() {
        var rig = rig()
        rig.held = [(24_000, .holding(.brake, 1)), (60_000, .holding(.brake, 1, number: 2))]
        let output = rig.render([100]).mid
        #expect(output.steepestStep <= rig.mid.steepestStep + 0.002)
        for frame in stride(from: 60_300, to: 150_000, by: 17) {
            let played = 60_000 + source(Double(frame - 60_000), 96_000)
            #expect(abs(Double(output[frame]) - 0.25 * sin(2 * .pi * Self.frequency * played / 48_000)) < 2e-5)
        }
    }

    @Test func `mid and side are slowed alike`() {
        var rig = rig()
        rig.side = rig.mid.map { -0.5 * $0 }
        rig.held = [(24_000, .holding(.brake, 0.7))]
        let output = rig.render([100])
        for frame in 0..<100_000 { #expect(output.side![frame] == -0.5 * output.mid[frame]) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any stretches give the same`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rig = rig(bpm: .random(in: 20...300, using: &random))
        var (punchIns, frame) = (PunchIns(), Int.random(in: 0..<2000, using: &random))
        while frame < 150_000 {
            let number = punchIns[.brake].number + .random(in: 0...1, using: &random)
            punchIns.hold(.brake, .random(in: 0...1, using: &random), number: max(1, number))
            if Int.random(in: 0..<6, using: &random) == 0 { punchIns.letGo(.brake) }
            rig.held.append((frame, punchIns))
            frame += [17, 100, 300, 20_000].randomElement(using: &random)!
        }
        let output = rig.render([128]).mid
        #expect(output == rig.render([1, 50, 128, 7]).mid)
        #expect(output.allSatisfy { abs($0) <= 0.26 })
    }
}
