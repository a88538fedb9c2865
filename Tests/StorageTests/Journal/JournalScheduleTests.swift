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
        let step = schedule().next(hasChanges: false, hasWritten: false, isUrgent: false, at: start + .seconds(9))
        #expect(step == .wait(until: nil))
    }

    @Test func `changes are written at once; soon after a flush they are flushed together, else at once too`() {
        let schedule = schedule()
        let soon = start + .milliseconds(1)
        let due = start + .milliseconds(50)
        #expect(schedule.next(hasChanges: true, hasWritten: false, isUrgent: false, at: soon) == .write)
        #expect(schedule.next(hasChanges: false, hasWritten: true, isUrgent: false, at: soon) == .wait(until: due))
        #expect(schedule.next(hasChanges: true, hasWritten: true, isUrgent: false, at: soon) == .write)
        for (hasChanges, hasWritten) in [(true, false), (false, true), (true, true)] {
            let step = schedule.next(hasChanges: hasChanges, hasWritten: hasWritten, isUrgent: false, at: due)
            #expect(step == .commit)
        }
        #expect(schedule.next(hasChanges: false, hasWritten: false, isUrgent: true, at: soon) == .commit)
    }

    @Test func `what gathered during a slow flush is flushed at once when that has ended`() {
        var schedule = schedule()
        let end = start + .milliseconds(70)
        schedule.note(.saving, startedAt: start, at: end)
        #expect(schedule.next(hasChanges: true, hasWritten: false, isUrgent: false, at: end) == .commit)
        schedule.note(.saving, startedAt: end, at: end + .milliseconds(10))
        #expect(
            schedule.next(hasChanges: true, hasWritten: false, isUrgent: false, at: end + .milliseconds(10)) == .write)
    }

    @Test func `after an error it tries again with growing pauses, changes or not`() {
        var schedule = schedule(after: failing)
        var now = start
        for pause in [250, 500, 1000, 2000, 4000, 4000] {
            let due = now + .milliseconds(pause)
            #expect(schedule.next(hasChanges: true, hasWritten: false, isUrgent: false, at: now) == .wait(until: due))
            #expect(schedule.next(hasChanges: false, hasWritten: false, isUrgent: false, at: due) == .commit)
            schedule.note(failing, startedAt: now, at: due)
            now = due
        }
        schedule.note(.saving, startedAt: now, at: now)
        schedule.note(failing, startedAt: now, at: now)
        let due = now + .milliseconds(250)
        #expect(schedule.next(hasChanges: true, hasWritten: false, isUrgent: false, at: now) == .wait(until: due))
    }
}
