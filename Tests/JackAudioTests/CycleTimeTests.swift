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
}
