import TestSupport
import Testing

@testable import Lights

struct SendScheduleTests {
    /// When a schedule sends, if it is asked every millisecond.
    private func sends(_ schedule: SendSchedule, changes: [Int], until end: Int) -> [Int] {
        var (schedule, sends, changes) = (schedule, [Int](), changes[...])
        var now = 0
        while now <= end {
            while let change = changes.first, change <= now {
                schedule.change(at: .milliseconds(change))
                changes.removeFirst()
            }
            if schedule.takeDue(at: .milliseconds(now)) { sends.append(now) }
            now += 1
        }
        return sends
    }

    @Test func `nothing is sent before there is a picture`() {
        #expect(sends(SendSchedule(picturesPerSecond: 40), changes: [], until: 3000) == [])
    }

    @Test func `a picture is sent at once, and again every 900 ms`() {
        #expect(sends(SendSchedule(picturesPerSecond: 40), changes: [100], until: 3000) == [100, 1000, 1900, 2800])
    }

    @Test func `changes are sent no faster than configured, and the last one always`() {
        let changes = Array(0...100)
        #expect(sends(SendSchedule(picturesPerSecond: 40), changes: changes, until: 900) == [0, 25, 50, 75, 100])
        #expect(sends(SendSchedule(picturesPerSecond: 10), changes: [0, 1], until: 1100) == [0, 100, 1000])
    }

    @Test func `if a protocol requires it, a change is sent three times before it is repeated slowly`() {
        let schedule = SendSchedule(picturesPerSecond: 40, sendsAfterChange: 3)
        #expect(sends(schedule, changes: [0], until: 2000) == [0, 25, 50, 950, 1850])
        #expect(sends(schedule, changes: [0, 30], until: 1000) == [0, 25, 50, 75, 100, 1000])
    }

    @Test func `a host that fails is reported once, and once when it is back`() {
        var reachability = Reachability()
        #expect(reachability.succeed(at: .zero) == nil)
        #expect(reachability.fail("No route to host", at: .seconds(1)) == .lost(reason: "No route to host"))
        #expect(reachability.succeed(at: .seconds(2)) == nil)
        #expect(reachability.fail("No route to host", at: .seconds(4)) == nil)
        #expect(reachability.succeed(at: .seconds(8)) == nil)
        #expect(reachability.succeed(at: .seconds(9)) == .back)
        #expect(reachability.succeed(at: .seconds(20)) == nil)
        #expect(
            reachability.fail("Network is unreachable", at: .seconds(21)) == .lost(reason: "Network is unreachable"))
    }
}
