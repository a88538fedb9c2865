import TestSupport
import Testing

@testable import InternalAudio

/// When periods are due, and what happens to late ones.
struct PeriodClockTests {
    private static let start: UInt64 = 1_234_567_891
    private static let shapes = [(48_000, 256), (44_100, 64), (192_000, 8192), (8000, 16), (11_025, 1000)]

    private func clock(_ sampleRate: Int = 48_000, _ period: Int = 256) -> PeriodClock {
        PeriodClock(startingAt: Self.start, sampleRate: sampleRate, period: period)
    }

    /// When a frame is due, by 128-bit arithmetic.
    private func deadline(of frame: Int64, _ sampleRate: Int) -> UInt64 {
        Self.start + UInt64(UInt128(frame) * 1_000_000_000 / UInt128(sampleRate))
    }

    @Test func `the first period is due at once, and the next one period later`() {
        var clock = clock()
        #expect(clock.turn(at: Self.start) == .init(due: Self.start, frame: 0, isDue: true, missed: 0))
        let second = PeriodClock.Turn(due: Self.start + 5_333_333, frame: 256, isDue: false, missed: 0)
        #expect(clock.turn(at: Self.start) == second)
        #expect(clock.turn(at: Self.start + 5_333_332) == second)
        #expect(clock.turn(at: Self.start + 5_333_333).isDue)
    }

    @Test(arguments: shapes) func `deadlines follow the count for as long as anything runs`(
        sampleRate: Int, period: Int
    ) {
        var clock = clock(sampleRate, period)
        var now = Self.start
        for number in 0..<10_000 {
            let turn = clock.turn(at: now)
            #expect(turn.isDue && turn.missed == 0)
            #expect(turn.frame == Int64(number * period))
            #expect(turn.due == deadline(of: turn.frame, sampleRate))
            now = clock.turn(at: now).due
        }
        // After a hundred years.
        now += 100 * 366 * 86_400 * 1_000_000_000
        let later = clock.turn(at: now)
        #expect(later.missed > 0)
        #expect(later.due == deadline(of: later.frame, sampleRate))
        #expect(later.due > now && later.due - now <= UInt64(period) * 1_000_000_000 / UInt64(sampleRate) + 1)
    }

    @Test func `a thread late by up to a tenth of a second renders every missing period`() {
        var clock = clock()
        _ = clock.turn(at: Self.start)
        let now = Self.start + 5_333_333 + 100_000_000
        var frames: [Int64] = []
        while true {
            let turn = clock.turn(at: now)
            #expect(turn.missed == 0)
            guard turn.isDue else { break }
            frames.append(turn.frame)
        }
        #expect(frames == (1...19).map { $0 * 256 })
    }

    @Test func `a thread later than that continues with the next period, where the count says`() {
        var clock = clock()
        _ = clock.turn(at: Self.start)
        let now = Self.start + 5_333_333 + 100_000_001
        let turn = clock.turn(at: now)
        #expect(turn == .init(due: deadline(of: 20 * 256, 48_000), frame: 5120, isDue: false, missed: 19))
        #expect(clock.turn(at: turn.due) == .init(due: turn.due, frame: turn.frame, isDue: true, missed: 0))
    }

    @Test func `a process that was stopped for an hour skips that hour`() {
        var clock = clock()
        for _ in 0..<10 { _ = clock.turn(at: clock.turn(at: Self.start).due) }
        let now = Self.start + 3_600_000_000_000
        let turn = clock.turn(at: now)
        #expect(turn.missed > 670_000 && !turn.isDue)
        #expect(turn.due > now && turn.due - now <= 5_333_334)
    }

    @Test(arguments: 0..<8) func `whatever the delays, frames are consecutive except for what is counted as missed`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let (sampleRate, period) = Self.shapes.randomElement(using: &random)!
        var clock = clock(sampleRate, period)
        var (now, expected) = (Self.start, Int64(0))
        for _ in 0..<2000 {
            let turn = clock.turn(at: now)
            expected += turn.missed * Int64(period)
            #expect(turn.frame == expected)
            #expect(turn.due == deadline(of: turn.frame, sampleRate))
            #expect(turn.isDue == (turn.due <= now))
            if turn.isDue {
                #expect(now - turn.due <= 100_000_000)
                expected += Int64(period)
                now += .random(in: 0...(.random(using: &random) ? 1_000_000 : 400_000_000), using: &random)
            } else {
                now = turn.due + .random(in: 0...100_000, using: &random)
            }
        }
    }
}
