import TestSupport
import Testing

@testable import DaemonKit

struct HourlyCountTests {
    @Test func `growth older than an hour is not counted`() {
        var count = HourlyCount()
        #expect(count.count(of: 0, at: .seconds(5)) == 0)
        count.note(3, at: .seconds(100))
        count.note(10, at: .seconds(2000))
        #expect(count.count(of: 10, at: .seconds(2000)) == 10)
        #expect(count.count(of: 11, at: .seconds(3699)) == 11)
        #expect(count.count(of: 11, at: .seconds(3700)) == 8)
        #expect(count.count(of: 11, at: .seconds(5600)) == 1)
    }

    @Test func `for random growth the count is right within its resolution`() {
        var random = SeededGenerator(seed: 7)
        var count = HourlyCount()
        var times: [Duration] = []
        var now = Duration.zero
        for _ in 0..<3000 {
            now += .milliseconds(Int.random(in: 1000...20_000, using: &random))
            times.append(now)
            count.note(times.count, at: now)
            let within = { (length: Duration) in times.count { now - $0 < length } }
            let counted = count.count(of: times.count, at: now)
            #expect((within(.seconds(3590))...within(.seconds(3610))).contains(counted))
        }
    }
}
