import Music
import TestSupport
import Testing

@testable import Engine

@Suite struct StepClockTests {
    private func timing(_ bpm: Double, swing: Double = 0.5, length: Int = 32, rate: Double = 48_000) -> StepTiming {
        StepTiming(bpm: bpm, swing: swing, loop: Loop(length: length), sampleRate: rate)
    }

    /// The frame of step k by the formula.
    private func formula(_ count: Int, start: Int64, stepFrames: Double) -> Int64 {
        start + Int64((Double(count) * stepFrames).rounded())
    }

    @Test(arguments: [44_100.0, 48_000, 192_000])
    func `24 hours at 127.3 BPM end on the frame of the formula`(rate: Double) {
        var clock = StepClock(timing(127.3, rate: rate))
        clock.start(at: 12_345)
        let stepFrames = rate * 60 / 127.3 / 4
        let count = Int(24 * 3600 * 127.3 * 4 / 60)
        for _ in 0..<count { clock.advance() }
        #expect(clock.nextFrame == formula(count, start: 12_345, stepFrames: stepFrames))
        clock.advance()
        #expect(clock.songStep == count)
    }

    @Test func `every step starts on its frame, whatever the tempo`() {
        for bpm in [20, 59.99, 127.31, 300] {
            var clock = StepClock(timing(bpm))
            clock.move(to: 5)
            clock.start(at: 100)
            for count in 0..<500 {
                #expect(clock.nextFrame == formula(count, start: 100, stepFrames: 48_000 * 60 / bpm / 4))
                clock.advance()
            }
        }
    }

    @Test func `swing delays odd steps, and the last step of an odd length lasts a nominal step`() {
        var clock = StepClock(timing(120, swing: 0.75, length: 9))
        clock.start(at: 0)
        var frames: [Int64] = []
        for _ in 0..<12 {
            frames.append(clock.nextFrame)
            clock.advance()
        }
        let onsets = [0, 1.5, 2, 3.5, 4, 5.5, 6, 7.5, 8, 9, 10.5, 11]
        #expect(frames == onsets.map { Int64($0 * 6000) })
    }

    @Test func `a start on an odd step swings from there`() {
        var clock = StepClock(timing(120, swing: 0.75))
        clock.move(to: 3)
        clock.start(at: 50)
        clock.advance()
        #expect(clock.nextFrame == 50 + 3000)
    }

    @Test func `a change of tempo continues the step from the same part of it`() {
        var clock = StepClock(timing(120))
        clock.start(at: 0)
        clock.advance()
        clock.advance()  // step 1 since frame 6000, step 2 at 12000
        clock.retime(timing(60), at: 7500)
        // A quarter of step 1 was over; three quarters of 12000 frames are left.
        #expect(clock.nextFrame == 7500 + 9000)
        clock.advance()
        #expect(clock.nextFrame == 7500 + 9000 + 12_000)
    }

    @Test func `a change of swing moves odd steps only, and one that is late starts at once`() {
        var clock = StepClock(timing(120, swing: 0.75))
        clock.start(at: 0)
        clock.advance()  // step 1 at 9000
        clock.retime(timing(120), at: 4500)
        #expect(clock.nextFrame == 6000)
        clock.retime(timing(120, swing: 0.75), at: 4500)
        #expect(clock.nextFrame == 9000)
        clock.retime(timing(120), at: 7500)
        #expect(clock.nextFrame == 7500)
        clock.advance()
        #expect(clock.nextFrame == 12_000)
    }

    @Test func `the song position runs evenly through swing and lengths`() {
        var clock = StepClock(timing(120, swing: 0.7, length: 9))
        clock.start(at: 0)
        for _ in 0..<14 { clock.advance() }
        #expect(clock.position(at: 81_000) == 13.5)
        clock.retime(timing(120, swing: 0.6, length: 8), at: 81_000)
        #expect(clock.position(at: 84_000) == 14)
        clock.retime(timing(240, length: 12), at: 84_000)
        #expect(clock.position(at: 87_000) == 15)
    }

    @Test func `any number of tempo changes loses no more than rounding`() {
        var random = SeededGenerator(seed: 7)
        var clock = StepClock(timing(120))
        clock.start(at: 0)
        var position = 0.0
        var bpm = 120.0
        var frame: Int64 = 0
        var started = 0
        for _ in 0..<5000 {
            while clock.nextFrame <= frame {
                started += 1
                clock.advance()
            }
            let period = Int64.random(in: 16...1024, using: &random)
            position += Double(period) / (48_000 * 60 / bpm / 4)
            frame += period
            while clock.nextFrame < frame {
                started += 1
                clock.advance()
            }
            bpm = Double.random(in: 20...300, using: &random)
            clock.retime(timing(bpm), at: frame)
        }
        #expect(abs(Double(started - 1) - position.rounded(.down)) <= 1)
        // The next step is as far away as the position says, to the frame and the rounding of the calculation.
        let left = (position.rounded(.down) + 1 - position) * (48_000 * 60 / bpm / 4)
        #expect(abs(Double(clock.nextFrame - frame) - left) <= 1)
    }
}
