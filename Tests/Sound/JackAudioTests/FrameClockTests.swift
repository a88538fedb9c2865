import Testing

@testable import JackAudio

struct FrameClockTests {
    @Test func `continues counting where 32 bits wrap`() {
        var clock = FrameClock()
        #expect(clock.extend(UInt32.max - 31) == Int64(UInt32.max) - 31)
        #expect(clock.extend(32) == Int64(UInt32.max) + 33)
        #expect(clock.extend(96) == Int64(UInt32.max) + 97)
    }

    @Test func `counts several wraps`() {
        var clock = FrameClock()
        var frame: Int64 = 5
        for _ in 0..<40 {
            #expect(clock.extend(UInt32(truncatingIfNeeded: frame)) == frame)
            frame += 1_000_000_007
        }
    }

    @Test func `follows a small step back`() {
        var clock = FrameClock()
        _ = clock.extend(1000)
        #expect(clock.extend(990) == 990)
    }
}
