import Testing

@testable import pixelboop_soak

/// Which late periods are excused by a stall of the machine.
struct LatenessTests {
    /// A second: late periods that found the daemon in its callback, and the bare client's worst delay in µs.
    private typealias Second = (running: Int, worstWake: Int)

    private func counts(_ seconds: [Second]) -> HeardXruns.Counts {
        var lateness = Lateness(period: 1333)
        for second in seconds { lateness.add(HeardXruns.Counts(running: second.running), worstWake: second.worstWake) }
        lateness.end()
        return lateness.counts
    }

    @Test func `a callback is late by itself while nothing is woken late by more than half a period`() {
        #expect(counts([(0, 90), (2, 666), (1, 40)]) == HeardXruns.Counts(running: 3))
    }

    @Test(arguments: [[0, 667, 0], [9000, 0, 0], [0, 0, 9000]])
    func `a stall excuses its second and its neighbours`(delays: [Int]) {
        #expect(counts([(0, delays[0]), (4, delays[1]), (0, delays[2])]) == HeardXruns.Counts(stalled: 4))
    }

    @Test func `a stall excuses nothing two seconds away`() {
        #expect(counts([(1, 0), (0, 0), (0, 9000), (0, 0), (1, 0)]) == HeardXruns.Counts(running: 2))
    }

    @Test func `other causes are left as they are, and the last second counts before it is judged`() {
        var lateness = Lateness(period: 1333)
        let counts = HeardXruns.Counts(running: 1, notWoken: 2, machine: 3)
        lateness.add(counts, worstWake: 0)
        #expect(lateness.counts == counts)
        lateness.add(HeardXruns.Counts(), worstWake: 9000)
        #expect(lateness.counts == HeardXruns.Counts(stalled: 1, notWoken: 2, machine: 3))
    }
}
