import TestSupport
import Testing

/// How much time the machine gives.
@Suite struct GrantedTimeTests {
    @Test func `what is granted adds up, and is never more than the clock's time`() async throws {
        let time = GrantedTime()
        defer { time.end() }
        let first = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(30))
        let second = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(20))
        let third = ContinuousClock.now
        let (early, late, whole) = (
            time.between(first, second), time.between(second, third), time.between(first, third)
        )
        #expect(early > .zero && early <= second - first)
        #expect(late > .zero && late <= third - second)
        #expect(early + late == whole)
        #expect(time.between(third, first) == .zero)
    }
}
