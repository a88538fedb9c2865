import SystemSupport
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
            if schedule.fetchDue(at: .milliseconds(now)) { sends.append(now) }
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
        #expect(reachability.succeed(at: .seconds(14)) == nil)
        #expect(reachability.fail("No route to host", at: .seconds(15)) == nil)
        #expect(reachability.succeed(at: .seconds(26)) == nil)
        #expect(reachability.succeed(at: .seconds(27)) == .back)
        #expect(reachability.succeed(at: .seconds(40)) == nil)
        #expect(
            reachability.fail("Network is unreachable", at: .seconds(41)) == .lost(reason: "Network is unreachable"))
    }

    @Test func `a host whose name is unknown is not back before something was sent to it`() throws {
        var destination = Destination(try #require(Controller("wall.local")), standardPort: 4048)
        #expect(destination.note("Name or service not known", at: .zero) == .lost(reason: "Name or service not known"))
        #expect(destination.note(nil, at: .seconds(30)) == nil)
        #expect(destination.note("Name or service not known", at: .seconds(31)) == nil)
        destination.address = .loopback
        #expect(destination.note(nil, at: .seconds(32)) == nil)
        #expect(destination.note(nil, at: .seconds(43)) == .back)
    }
}
