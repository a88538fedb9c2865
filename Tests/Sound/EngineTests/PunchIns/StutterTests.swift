import Foundation
import Instrument
import Music
import TestSupport
import Testing

@testable import Engine

/// STUTTER repeats what was just heard, in time with the song.
@Suite struct StutterTests {
    /// The frame that the formula says is played.
    private func source(of frame: Double, start: Double, length: Double) -> Double {
        let passed = frame - start
        return start + passed - (passed / length).rounded(.down) * length
    }

    /// Start and length of the stretch that is chosen at a frame.
    private func choice(_ sixteenths: Double, at frame: Int, _ rig: PunchRig) -> (start: Double, length: Double) {
        var length = sixteenths * rig.stepFrames
        while length > rig.sampleRate { length /= 2 }
        let latest = (0...10_000).last { Double($0) * rig.stepFrames + length <= Double(frame) + 0.5 }!
        return (Double(latest) * rig.stepFrames, length)
    }

    /// Whether output plays, at a frame, the frame of the input that the formula says, to the nearest.
    private func plays(_ output: [Float], at frame: Int, _ choice: (start: Double, length: Double)) -> Bool {
        let played = Double(output[frame] / PunchRig.scale)
        let wanted = source(of: Double(frame), start: choice.start, length: choice.length)
        // Next to a seam, the nearest may be in the next turn.
        let distance = abs(played - wanted)
        return played == played.rounded() && min(distance, abs(distance - choice.length)) <= 1
    }

    private static let lengths = [4, 3, 2, 1.5, 1, 2.0 / 3, 0.5, 0.25]

    @Test(arguments: 0..<8, [(120, 48_000), (133.7, 44_100), (60, 96_000), (20, 48_000), (300, 192_000)])
    func `it repeats the latest stretch that has passed, with its seams on their frames`(
        column: Int, setting: (bpm: Double, rate: Double)
    ) {
        let length = Int(setting.rate * 3.5)
        var rig = PunchRig(PunchRig.counting(length))
        (rig.bpm, rig.sampleRate) = (setting.bpm, setting.rate)
        let start = Int(setting.rate * 2.1)
        rig.held = [(start, .holding(.stutter, (Double(column) + 0.5) / 8))]
        let output = rig.render([128, 57]).mid
        #expect(output[..<start] == rig.mid[..<start])
        let choice = choice(Self.lengths[column], at: start, rig)
        let (fade, seam) = (Int(setting.rate * 0.005), Int(setting.rate * 0.003 + 0.5))
        var faults = 0
        for frame in start + fade..<length {
            let turn = ((Double(frame) - choice.start) / choice.length)
            let left = (turn.rounded(.up) - turn) * choice.length
            // In a seam, both are heard.
            if left <= min(Double(seam), choice.length / 2) + 2 { continue }
            if !plays(output, at: frame, choice) { faults += 1 }
        }
        #expect(faults == 0)
        // A seam is where the frame that is played goes back.
        let first = (((Double(start + fade) - choice.start) / choice.length).rounded(.up) + 1) * choice.length
        let frame = Int((choice.start + first).rounded())
        if frame + seam < length, choice.length > 2 * Double(seam) + 4 {
            let played = (frame...frame + 3).map { Double(output[$0] / PunchRig.scale) }
            #expect(played.contains { abs($0 - choice.start) <= 1 })
        }
    }

    @Test func `one turn goes over into the next in 3 ms, in a straight line`() {
        var rig = PunchRig(PunchRig.counting(60_000))
        rig.held = [(30_100, .holding(.stutter, 0.56))]
        let output = rig.render().mid.map { Double($0 / PunchRig.scale) }
        // A sixteenth from 24000 on; the next turns begin with 36000 and 42000.
        for left in 1...144 {
            let share = Double(145 - left) / 145
            let expected = (30_000 - Double(left)) * (1 - share) + (24_000 - Double(left)) * share
            #expect(abs(output[42_000 - left] - expected) < 0.05)
        }
        #expect(output[41_855] == 29_855 && output[42_000] == 24_000)
    }

    @Test func `it waits for no sixteenth: one that ends on this frame is repeated`() {
        for (frame, start) in [(29_999, 18_000), (30_000, 24_000), (30_001, 24_000)] {
            var rig = PunchRig(PunchRig.counting(40_000))
            rig.held = [(frame, .holding(.stutter, 0.56))]
            let output = rig.render().mid
            #expect(Int(output[30_300] / PunchRig.scale) == start + 300)
        }
    }

    @Test func `swing does not move it`() {
        var rig = PunchRig(PunchRig.counting(40_000))
        rig.swing = 0.75
        rig.held = [(31_000, .holding(.stutter, 0.56))]
        #expect(Int(rig.render().mid[36_500] / PunchRig.scale) == 24_500)
    }

    @Test func `another length keeps the beginning if all of it has passed`() {
        var rig = PunchRig(PunchRig.counting(90_000))
        // A quarter of a sixteenth, then half, one and two, of which the last has not passed.
        rig.held = [(46_600, .holding(.stutter, 0.99)), (49_000, .holding(.stutter, 0.8))]
        rig.held += [(52_000, .holding(.stutter, 0.6)), (52_500, .holding(.stutter, 0.3))]
        let output = rig.render().mid.map { Int($0 / PunchRig.scale) }
        let choices = [(46_840, 49_000, 42_000, 1500), (49_240, 52_000, 42_000, 3000), (52_240, 52_500, 42_000, 6000)]
        for (first, end, start, length) in choices + [(52_740, 90_000, 36_000, 12_000)] {
            for frame in first..<end where (frame - start) % length < length - 145 {
                #expect(output[frame] == start + (frame - start) % length)
            }
        }
    }

    @Test func `a new holder chooses again, and goes on from what was repeated before without a step`() {
        let sine = (0..<200_000).map { Float(0.25 * sin(2 * .pi * 220 * Double($0) / 48_000)) }
        var rig = PunchRig(sine)
        // Much later than the memory of the input reaches: only the copy is left.
        rig.held = [(30_100, .holding(.stutter, 0.4)), (170_000, .holding(.stutter, 0.1, number: 2))]
        let output = rig.render([64]).mid
        #expect(output.steepestStep < sine.steepestStep + 0.004)
        let start = 168_000 - 24_000
        let expected = (170_300..<190_000).map { sine[start + ($0 - start) % 24_000] }
        for (frame, sample) in zip(170_300..<190_000, expected) where (frame - start) % 24_000 < 23_850 {
            #expect(output[frame] == sample)
        }
    }

    @Test func `what was not played is silence`() {
        var rig = PunchRig([Float](repeating: 0.5, count: 40_000))
        // From two sixteenths before the song's start.
        rig.held = [(12_000, .holding(.stutter, 0.05))]
        let output = rig.render().mid
        #expect(output[12_240..<23_800].allSatisfy { $0 == 0 })
        #expect(output[24_000..<35_800].allSatisfy { $0 == 0.5 })
    }

    @Test func `mid and side are repeated alike`() {
        var rig = PunchRig(PunchRig.counting(60_000))
        rig.side = rig.mid.map { -0.5 * $0 }
        rig.held = [(30_100, .holding(.stutter, 0.7))]
        let output = rig.render([100])
        for frame in 30_000..<60_000 { #expect(output.side![frame] == -0.5 * output.mid[frame]) }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `whatever fingers do, it plays what the formula says, in any stretches`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rig = PunchRig((0..<120_000).map { _ in Float.random(in: -0.3...0.3, using: &random) })
        rig.bpm = .random(in: 20...300, using: &random)
        var (punchIns, frame) = (PunchIns(), 60_000)
        while frame < 118_000 {
            let isNew = Int.random(in: 0..<3, using: &random) == 0
            let number = punchIns[.stutter].number + (isNew ? 1 : 0)
            punchIns.hold(.stutter, .random(in: 0...1, using: &random), number: max(1, number))
            rig.held.append((frame, punchIns))
            frame += [17, 100, 300, 5000].randomElement(using: &random)!
        }
        punchIns.letGoAll()
        rig.held.append((118_000, punchIns))
        let output = rig.render([128]).mid
        #expect(output == rig.render([1, 50, 128, 7]).mid)
        #expect(output[118_240...] == rig.mid[118_240...])
        #expect(output.allSatisfy { abs($0) <= 0.301 })
    }
}
