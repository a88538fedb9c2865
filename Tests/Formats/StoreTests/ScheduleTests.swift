import Music
import Testing

@testable import Store

struct ScheduleTests {
    private let start = ContinuousClock.now
    private let timing = StorageTiming(interval: .milliseconds(50), retries: .milliseconds(250)...(.seconds(4)))
    private typealias Work = StorageSchedule.Work

    private func schedule() -> StorageSchedule { StorageSchedule(timing, at: start) }

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func note(
        _ step: StorageSchedule.Step, in schedule: inout StorageSchedule, succeeded: Bool = true, from begin: Int,
        to end: Int
    ) {
        schedule.note(step, succeeded: succeeded, startedAt: time(begin), at: time(end))
    }

    @Test func `changes are written at once after a pause, and then at intervals`() {
        var schedule = schedule()
        let work = Work(hasChanges: true)
        #expect(schedule.next(work, at: time(7)) == .write)
        note(.write, in: &schedule, from: 7, to: 12)
        #expect(schedule.next(work, at: time(12)) == .wait(until: time(57)))
        #expect(schedule.next(work, at: time(57)) == .write)
        #expect(schedule.next(Work(hasChanges: true, isUrgent: true), at: time(12)) == .write)
    }

    @Test func `changes made during a slow commit are written at once after it`() {
        var schedule = schedule()
        note(.write, in: &schedule, from: 0, to: 80)
        #expect(schedule.next(Work(hasChanges: true), at: time(80)) == .write)
    }

    @Test func `errors are retried after a delay that doubles up to a limit`() {
        var schedule = schedule()
        var now = 0
        for delay in [250, 500, 1000, 2000, 4000, 4000] {
            note(.write, in: &schedule, succeeded: false, from: now, to: now)
            #expect(schedule.next(Work(hasChanges: true), at: time(now)) == .wait(until: time(now + delay)))
            now += delay
            #expect(schedule.next(Work(hasChanges: true), at: time(now)) == .write)
        }
        note(.write, in: &schedule, from: now, to: now)
        note(.write, in: &schedule, succeeded: false, from: now, to: now)
        #expect(schedule.next(Work(), at: time(now)) == .wait(until: time(now + 250)))
    }

    @Test func `a caller that waits need not wait for the next retry`() {
        var schedule = schedule()
        note(.open, in: &schedule, succeeded: false, from: 0, to: 0)
        #expect(schedule.next(Work(isOpen: false), at: time(1)) == .wait(until: time(250)))
        #expect(schedule.next(Work(isOpen: false, isUrgent: true), at: time(1)) == .open)
        #expect(schedule.next(Work(isOpen: false), at: time(250)) == .open)
    }

    @Test func `snapshots and checkpoints come when no change waits`() {
        let schedule = schedule()
        #expect(schedule.next(Work(hasChanges: true, snapshot: .due, log: .due), at: start) == .write)
        #expect(schedule.next(Work(snapshot: .due, log: .due), at: start) == .checkpoint)
        #expect(schedule.next(Work(snapshot: .due), at: start) == .snapshot)
    }

    @Test func `an urgent snapshot or checkpoint alternates with changes`() {
        var schedule = schedule()
        let work = Work(hasChanges: true, snapshot: .urgent)
        #expect(schedule.next(work, at: start) == .write)
        note(.write, in: &schedule, from: 0, to: 60)
        #expect(schedule.next(work, at: time(60)) == .snapshot)
        note(.snapshot, in: &schedule, from: 60, to: 70)
        #expect(schedule.next(work, at: time(70)) == .write)
        note(.write, in: &schedule, from: 70, to: 80)
        #expect(schedule.next(Work(hasChanges: true, log: .urgent), at: time(80)) == .checkpoint)
    }

    @Test func `the log is copied after five seconds without a change, and then nothing is to do`() {
        var schedule = schedule()
        note(.write, in: &schedule, from: 0, to: 10)
        #expect(schedule.next(Work(log: .someday), at: time(10)) == .wait(until: time(5010)))
        #expect(schedule.next(Work(log: .someday), at: time(5010)) == .checkpoint)
        note(.checkpoint, in: &schedule, from: 5010, to: 5020)
        #expect(schedule.next(Work(), at: time(5020)) == .wait(until: nil))
        schedule.postponeCheckpoint(at: time(5020))
        #expect(schedule.next(Work(log: .due), at: time(5020)) == .wait(until: time(10_020)))
    }

    @Test func `a copy is made at its time, if nothing else is to do`() {
        var schedule = schedule()
        schedule.copy(at: time(1000))
        #expect(schedule.next(Work(), at: start) == .wait(until: time(1000)))
        #expect(schedule.next(Work(hasChanges: true), at: time(1000)) == .write)
        #expect(schedule.next(Work(), at: time(1000)) == .copy)
    }
}

struct BacklogTests {
    private func row(_ number: Int64, _ size: Int) -> ChangeRow {
        ChangeRow(number: number, checksum: 0, content: [UInt8](repeating: 0, count: size))
    }

    @Test func `the oldest rows come first, as many as fit, and at least one`() {
        var backlog = Backlog()
        #expect(backlog.piece() == [])
        for (number, size) in [(1, 40_000), (2, 25_000), (3, 600), (4, 100_000)] {
            backlog.add(row(Int64(number), size))
        }
        #expect(backlog.size == 165_600)
        #expect(backlog.piece().map(\.number) == [1, 2])
        #expect(backlog.piece(upTo: 10).map(\.number) == [1])
        backlog.remove(through: 2)
        #expect(backlog.piece().map(\.number) == [3])
        backlog.remove(through: 3)
        #expect(backlog.piece().map(\.number) == [4])
        backlog.remove(through: 9)
        #expect(backlog.isEmpty && backlog.size == 0)
    }

    @Test func `too many changes are replaced by the document that they led to`() {
        var unsaved = UnsavedChanges()
        var document = Document()
        document.apply(.setName("end"))
        let change = [DocumentChange.undo]
        for _ in 0..<UnsavedChanges.capacity { unsaved.add(change) { document } }
        #expect(unsaved.replacement == nil && unsaved.batches.count == UnsavedChanges.capacity)
        unsaved.add(change) { document }
        #expect(isSame(unsaved.replacement, document))
        #expect(unsaved.batches.isEmpty)
        unsaved.add(change) { document }
        #expect(unsaved.batches.count == 1)
    }
}
