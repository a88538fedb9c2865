import Testing

@testable import Storage

struct JournalScheduleTests {
    private let start = ContinuousClock.now
    private let timing = StorageTiming(interval: .milliseconds(50), retries: .milliseconds(250)...(.seconds(4)))

    private func schedule(after status: StorageStatus = .saving) -> StorageSchedule {
        StorageSchedule(timing, after: status, at: start)
    }

    private let failing = StorageStatus.failing(.inUse(path: "/state", processID: nil))

    @Test func `with nothing to write it sleeps until it is woken`() {
        let schedule = schedule()
        #expect(schedule.next(hasWork: false, isUrgent: false, at: start + .seconds(9)) == .wait(until: nil))
    }

    @Test func `changes soon after a write are written together, the first after a pause at once`() {
        let schedule = schedule()
        let due = start + .milliseconds(50)
        #expect(schedule.next(hasWork: true, isUrgent: false, at: start + .milliseconds(1)) == .wait(until: due))
        #expect(schedule.next(hasWork: true, isUrgent: false, at: due) == .commit)
        #expect(schedule.next(hasWork: true, isUrgent: true, at: start + .milliseconds(1)) == .commit)
    }

    @Test func `what gathered during a slow write is written at once when that has ended`() {
        var schedule = schedule()
        let end = start + .milliseconds(70)
        schedule.note(.saving, startedAt: start, at: end)
        #expect(schedule.next(hasWork: true, isUrgent: false, at: end) == .commit)
        schedule.note(.saving, startedAt: end, at: end + .milliseconds(10))
        let due = end + .milliseconds(50)
        #expect(schedule.next(hasWork: true, isUrgent: false, at: end + .milliseconds(10)) == .wait(until: due))
    }

    @Test func `after an error it tries again with growing pauses, changes or not`() {
        var schedule = schedule(after: failing)
        var now = start
        for pause in [250, 500, 1000, 2000, 4000, 4000] {
            let due = now + .milliseconds(pause)
            #expect(schedule.next(hasWork: true, isUrgent: false, at: now) == .wait(until: due))
            #expect(schedule.next(hasWork: false, isUrgent: false, at: due) == .commit)
            schedule.note(failing, startedAt: now, at: due)
            now = due
        }
        schedule.note(.saving, startedAt: now, at: now)
        schedule.note(failing, startedAt: now, at: now)
        #expect(schedule.next(hasWork: true, isUrgent: false, at: now) == .wait(until: now + .milliseconds(250)))
    }
}
