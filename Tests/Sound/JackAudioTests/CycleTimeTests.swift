import Engine
import Testing

@testable import JackAudio

struct CycleTimeTests {
    private func time(start: UInt64, period: Float, now: UInt64 = 1_000_000) -> CycleTime {
        CycleTime(startUsecs: start, periodUsecs: period, frameCount: 64, sampleRate: 48000, now: now)
    }

    @Test func `is JACK's if that is plausible`() {
        let cycle = time(start: 998_000, period: 1333.5)
        #expect(cycle.startUsecs == 998_000)
        #expect(cycle.usecsPerFrame == 1333.5 / 64)
    }

    @Test(arguments: [-1333, 0, .nan, .infinity, -.infinity, 1e9, 600] as [Float])
    func `is nominal when JACK's period is implausible`(period: Float) {
        let cycle = time(start: 998_000, period: period)
        #expect(cycle.startUsecs == 1_000_000)
        #expect(abs(cycle.usecsPerFrame - 20.833_333) < 0.001)
    }

    @Test(arguments: [0, 40_000_000, .max] as [UInt64])
    func `begins now when JACK's start is far away`(start: UInt64) {
        #expect(time(start: start, period: 1333, now: 20_000_001).startUsecs == 20_000_001)
    }

    @Test(arguments: [false, true]) func `a part of a cycle differs only in its frames and times`(countsGaps: Bool) {
        let cycle = RtCycle(
            frameCount: 20_000, startFrame: 1000, startUsecs: 5, usecsPerFrame: 1e6 / 44_100, nowUsecs: 7,
            outside: OutsidePosition(isRolling: true, frame: 99), connectionCount: 3, playbackLatency: 11,
            midiOutLatency: 12, clockOutLatency: 13, countsGaps: countsGaps)
        let part = cycle.part(from: 8192, atMost: 8192)
        var expected = cycle
        expected.frameCount = 8192
        expected.startFrame = 9192
        // 185759.637 us, rounded.
        expected.startUsecs = 185_765
        expected.outside.frame = 8291
        #expect("\(part)" == "\(expected)")
        #expect(cycle.part(from: 16_384, atMost: 8192).frameCount == 3616)
    }
}
