import Testing

@testable import Journal

struct JournalScheduleTests {
    private let start = ContinuousClock.now
    private let timing = StorageTiming(interval: .milliseconds(50), retries: .milliseconds(250)...(.seconds(4)))

    private func schedule(after status: StorageStatus = .saving) -> StorageSchedule {
        StorageSchedule(timing, after: status, at: start)
    }

    /// A schedule's next step while no flush is under way.
    private func next(
        _ schedule: StorageSchedule, hasChanges: Bool, hasWritten: Bool = false, isUrgent: Bool = false,
        at now: StorageSchedule.Instant
    ) -> StorageSchedule.Step {
        schedule.next(
            hasChanges: hasChanges, hasWritten: hasWritten, isUrgent: isUrgent, isFlushing: false, at: now)
    }

    private let failing = StorageStatus.failing(.inUse(path: "/state", processID: nil))

    @Test func `by default a change is on disk within 100 ms, of which it waits for at most 20`() {
        let timing = StorageTiming()
        #expect(timing.limit == .milliseconds(100))
        let schedule = StorageSchedule(timing, after: .saving, at: start)
        #expect(next(schedule, hasChanges: true, at: start + .milliseconds(20)) == .commit)
    }

    @Test func `with nothing to write it sleeps until woken`() {
        let step = next(schedule(), hasChanges: false, at: start + .seconds(9))
        #expect(step == .wait(until: nil))
    }

    @Test func `changes are written at once, and flushed at once unless a flush was recent`() {
        let schedule = schedule()
        let soon = start + .milliseconds(1)
        let due = start + .milliseconds(50)
        #expect(next(schedule, hasChanges: true, at: soon) == .write)
        #expect(next(schedule, hasChanges: false, hasWritten: true, at: soon) == .wait(until: due))
        #expect(next(schedule, hasChanges: true, hasWritten: true, at: soon) == .write)
        for (hasChanges, hasWritten) in [(true, false), (false, true), (true, true)] {
            let step = next(schedule, hasChanges: hasChanges, hasWritten: hasWritten, at: due)
            #expect(step == .commit)
        }
        #expect(next(schedule, hasChanges: false, isUrgent: true, at: soon) == .commit)
    }

    @Test func `changes made during a slow flush are flushed as soon as it ends`() {
        var schedule = schedule()
        let end = start + .milliseconds(70)
        schedule.note(.saving, startedAt: start, at: end)
        #expect(next(schedule, hasChanges: true, at: end) == .commit)
        schedule.note(.saving, startedAt: end, at: end + .milliseconds(10))
        #expect(next(schedule, hasChanges: true, at: end + .milliseconds(10)) == .write)
    }

    @Test func `after an error it retries with growing pauses, with or without changes`() {
        var schedule = schedule(after: failing)
        var now = start
        for pause in [250, 500, 1000, 2000, 4000, 4000] {
            let due = now + .milliseconds(pause)
            #expect(next(schedule, hasChanges: true, at: now) == .wait(until: due))
            #expect(next(schedule, hasChanges: false, at: due) == .commit)
            schedule.note(failing, startedAt: now, at: due)
            now = due
        }
        schedule.note(.saving, startedAt: now, at: now)
        schedule.note(failing, startedAt: now, at: now)
        let due = now + .milliseconds(250)
        #expect(next(schedule, hasChanges: true, at: now) == .wait(until: due))
    }

    @Test func `during a flush changes are written, and nothing else is done`() {
        let schedule = schedule()
        let late = start + .seconds(1)
        for isUrgent in [false, true] {
            let idle = schedule.next(
                hasChanges: false, hasWritten: true, isUrgent: isUrgent, isFlushing: true, at: late)
            #expect(idle == .wait(until: nil))
            let busy = schedule.next(
                hasChanges: true, hasWritten: true, isUrgent: isUrgent, isFlushing: true, at: late)
            #expect(busy == .write)
        }
        // A failed write is retried when the flush has ended.
        let failed = self.schedule(after: failing)
        #expect(
            failed.next(hasChanges: true, hasWritten: false, isUrgent: false, isFlushing: true, at: late)
                == .wait(until: nil))
    }
}
