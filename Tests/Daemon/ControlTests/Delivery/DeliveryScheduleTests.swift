import TestSupport
import Testing

@testable import Control

struct DeliveryScheduleTests {
    private func schedule(rate: Int = 50) -> DeliverySchedule {
        DeliverySchedule(rate: rate, version: 1, inRhythmWith: .zero)
    }

    @Test func `a change leaves at once if the last delivery is at least an interval ago`() {
        #expect(schedule().decision(on: 2, at: .milliseconds(20)) == .send)
        #expect(schedule().decision(on: 2, at: .seconds(100)) == .send)
    }

    @Test func `a change that comes too early waits until it is due, and no longer`() {
        #expect(schedule().decision(on: 2, at: .milliseconds(19)) == .wait(until: .milliseconds(20)))
    }

    @Test
    func `a subscriber due within an eighth of the interval is served along with others, and the rate does not rise`() {
        var schedule = schedule()
        #expect(schedule.decision(on: 2, at: .milliseconds(17), alongOthers: true) == .wait(until: .milliseconds(20)))
        #expect(schedule.decision(on: 2, at: .milliseconds(18), alongOthers: true) == .send)
        schedule.delivered(2, at: .milliseconds(18), ready: .milliseconds(18))
        #expect(schedule.due == .milliseconds(40))
    }

    @Test func `a subscriber that has the newest version gets nothing`() {
        #expect(schedule().decision(on: 1, at: .seconds(1)) == .nothing)
        var schedule = schedule()
        schedule.delivered(2, at: .seconds(1), ready: .seconds(1))
        #expect(schedule.decision(on: 2, at: .seconds(9)) == .nothing)
    }

    @Test func `after a delivery the next waits an interval`() {
        var schedule = schedule()
        schedule.delivered(2, at: .seconds(1), ready: .seconds(1))
        #expect(schedule.decision(on: 3, at: .seconds(1)) == .wait(until: .milliseconds(1020)))
        #expect(schedule.decision(on: 7, at: .milliseconds(1020)) == .send)
    }

    @Test
    func `a delivery delayed by a full socket counts from when it was ready, within a quarter of the interval`() {
        var schedule = schedule()
        schedule.delivered(2, at: .milliseconds(103), ready: .milliseconds(100))
        #expect(schedule.due == .milliseconds(120))
        schedule.delivered(3, at: .milliseconds(150), ready: .milliseconds(100))
        #expect(schedule.due == .milliseconds(165))
    }

    @Test func `a version that looks the same is skipped without using up the rate`() {
        var schedule = schedule()
        schedule.delivered(2, at: .seconds(1), ready: .seconds(1))
        schedule.renumber(5)
        #expect(schedule.decision(on: 5, at: .seconds(2)) == .nothing)
        #expect(schedule.due == .milliseconds(1020))
    }

    @Test(arguments: [1, 24, 60, 240])
    func `with constant changes and late timers the rate is met and not exceeded`(_ rate: Int) {
        var random = SeededGenerator(seed: UInt64(rate))
        var schedule = DeliverySchedule(rate: rate, version: 0, inRhythmWith: .zero)
        var (now, sent, times) = (Duration.zero, 0, [Duration]())
        while now < .seconds(10) {
            switch schedule.decision(on: sent + 1, at: now) {
            case .send:
                sent += 1
                schedule.delivered(sent, at: now, ready: schedule.due)
                times.append(now)
            case .wait(let until):
                // A timer fires up to a tenth of the interval late.
                now = until + schedule.interval * Double.random(in: 0...0.1, using: &random)
            case .nothing: Issue.record("there is always something newer")
            }
        }
        #expect((rate * 10 - 1...rate * 10 + 1).contains(sent))
        for (first, second) in zip(times, times.dropFirst()) {
            #expect(second - first >= schedule.interval * 0.75)
        }
    }

    @Test func `subscribers with equal rates that started at different times are served together`() {
        let early = DeliverySchedule(rate: 60, version: 1, inRhythmWith: .milliseconds(100))
        let late = DeliverySchedule(rate: 60, version: 9, inRhythmWith: .milliseconds(100))
        #expect(early.due == late.due)
    }
}
