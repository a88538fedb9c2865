import Music
import Synchronization
import SystemSupport

/// The storage thread: it does what ``StorageSchedule`` decides, and reports how it went.
struct StorageThread {
    private typealias Instant = StorageSchedule.Instant

    private let store: SessionStore
    private var keeper: SessionKeeper
    private var schedule: StorageSchedule
    /// A stored session that was found after the start, until the caller decides about it.
    private var late: FoundSession?
    /// How often reading the session has failed.
    private var readFailures = 0
    private var nextReport = Instant.now

    /// How often a session that the disk cannot read is tried, before what is unreadable counts as lost.
    private static let readTries = 3

    init(_ store: SessionStore, _ place: SessionStore.StoreFolder, _ first: Document) {
        self.store = store
        keeper = SessionKeeper(
            SessionFolder(place.path, now: place.now), beginningWith: first,
            runtimeDirectory: place.runtimeDirectory, fileSystem: place.fileSystem, limits: place.limits)
        schedule = StorageSchedule(store.timing, at: .now)
    }

    mutating func run(_ start: StorageStart) {
        guard begin(start) else { return }
        while turn() {}
    }

    // MARK: The start

    /// Reads the session and answers the waiting caller.
    ///
    /// - Returns: Whether the store can be used.
    private mutating func begin(_ start: StorageStart) -> Bool {
        while true {
            do throws(StorageFailure) {
                let found = try keeper.open(isLastTry: isLastTry)
                answer(start, found)
                return true
            } catch {
                let answer = StorageStart.Answer(
                    document: keeper.document, report: keeper.report ?? RecoveryReport(source: .unknown),
                    status: .failing(error))
                if retriesReading(after: error) { continue }
                let isAwaited = start.give(answer)
                fail(.open, error, startedAt: .now)
                if isAwaited, case .inUse = error { return false }
                return true
            }
        }
    }

    private var isLastTry: Bool { readFailures >= Self.readTries - 1 }

    /// Waits a little after a failed read that may succeed the next time.
    private mutating func retriesReading(after failure: StorageFailure) -> Bool {
        guard keeper.report == nil, failure.isOfReading, !isLastTry else {
            return false
        }
        readFailures += 1
        store.wakeUp.wait(atMost: store.timing.retries.lowerBound)
        return true
    }

    private mutating func answer(_ start: StorageStart, _ found: FoundSession?) {
        let began = Instant.now
        let document = found.map { $0.report.source == .lost ? keeper.document : $0.document } ?? keeper.document
        let status = found?.obstacle.map { StorageStatus.failing($0) } ?? .saving
        let report = found?.report ?? keeper.report ?? RecoveryReport()
        let isAwaited = start.give(.init(document: document, report: report, status: status))
        if isAwaited, case .failing = status { store.mailbox.withLock { $0.status = status } }
        guard let found else { return succeed(.open, startedAt: began) }
        guard isAwaited else { return findLate(found) }
        attempt(.open, startedAt: began) { (thread) throws(StorageFailure) in try thread.keeper.adopt(found) }
        if found.report.damages.isEmpty { schedule.copy(at: .now) }
    }

    // MARK: Turns

    /// Does one step.
    ///
    /// - Returns: Whether the store stays open.
    private mutating func turn() -> Bool {
        let isUndecided = late != nil
        let (decision, unsaved, waiting, isClosing) = store.mailbox.withLock { mailbox in
            let decision = mailbox.fetchDecision()
            let takes = !isUndecided || decision != nil || mailbox.isClosing
            return (
                decision, takes ? mailbox.fetchUnsaved() : UnsavedChanges(), mailbox.waiters.count, mailbox.isClosing
            )
        }
        if isUndecided {
            guard settleLate(decision, unsaved, isClosing: isClosing) else {
                store.wakeUp.wait(atMost: nil)
                return true
            }
        } else {
            keeper.add(unsaved)
        }
        let step = schedule.next(work(isUrgent: waiting > 0), at: .now)
        if case .wait(let deadline) = step {
            store.wakeUp.wait(atMost: deadline.map { $0 - Instant.now })
            return true
        }
        let hasFailed = !perform(step)
        return answer(waiting, isClosing: isClosing, hasFailed: hasFailed)
    }

    private func work(isUrgent: Bool) -> StorageSchedule.Work {
        StorageSchedule.Work(
            isOpen: keeper.isOpen, hasChanges: keeper.hasUnsaved, isUrgent: isUrgent, snapshot: keeper.snapshotNeed,
            log: keeper.logNeed)
    }

    private mutating func perform(_ step: StorageSchedule.Step) -> Bool {
        attempt(step, startedAt: .now) { (thread) throws(StorageFailure) in
            switch step {
            case .open:
                guard let found = try thread.keeper.open(isLastTry: true) else { return thread.noteSetAside() }
                thread.findLate(found)
            case .write: try thread.keeper.write()
            case .snapshot: try thread.keeper.writeSnapshot()
            case .checkpoint: if try !thread.keeper.checkpoint() { thread.schedule.postponeCheckpoint(at: .now) }
            case .copy: thread.copy()
            case .wait: break
            }
        }
    }

    @discardableResult
    private mutating func attempt(
        _ step: StorageSchedule.Step, startedAt start: Instant,
        _ body: (inout StorageThread) throws(StorageFailure) -> Void
    ) -> Bool {
        do throws(StorageFailure) {
            try body(&self)
            succeed(step, startedAt: start)
            return true
        } catch {
            fail(step, error, startedAt: start)
            return false
        }
    }

    private mutating func succeed(_ step: StorageSchedule.Step, startedAt start: Instant) {
        schedule.note(step, succeeded: true, startedAt: start, at: .now)
        noteSetAside()
        guard keeper.isOpen, !keeper.hasUnsaved else { return }
        if let since = store.mailbox.withLock({ $0.noteStored() }) { report(delaySince: since) }
        store.report(.saving)
    }

    private mutating func fail(_ step: StorageSchedule.Step, _ error: StorageFailure, startedAt start: Instant) {
        schedule.note(step, succeeded: false, startedAt: start, at: .now)
        store.report(.failing(error))
    }

    private mutating func noteSetAside() {
        if let name = keeper.fetchSetAside() { store.reports.onSetAside(name) }
    }

    /// Reports how long a change took to reach the disk, if that was too long and no delay was reported recently.
    private mutating func report(delaySince start: Instant) {
        let now = Instant.now
        guard now - start > store.timing.limit, now >= nextReport else { return }
        store.reports.onDelay(now - start)
        nextReport = now + store.timing.reportPause
    }

    // MARK: Those who wait

    /// Answers the first waiters if everything is stored or something has failed.
    ///
    /// - Returns: Whether the store stays open.
    private mutating func answer(_ waiting: Int, isClosing: Bool, hasFailed: Bool) -> Bool {
        guard waiting > 0 else { return true }
        let isStored = !hasFailed && keeper.isOpen && !keeper.hasUnsaved
        guard hasFailed || isStored else { return true }
        let waiters = store.mailbox.withLock { $0.fetchWaiters(waiting) }
        if isStored { for waiter in waiters { waiter.settle() } }
        if isClosing { keeper.close() }
        for waiter in waiters { waiter.resume() }
        return !isClosing
    }

    // MARK: A session that is found late

    private mutating func findLate(_ found: FoundSession) {
        late = found
        guard found.report.source != .lost else {
            // There is nothing to decide.
            late = nil
            _ = attempt(.open, startedAt: .now) { (thread) throws(StorageFailure) in
                try thread.keeper.refuse(found, keeping: thread.keeper.document)
            }
            return
        }
        store.reports.onLateSession(found.document, found.report)
    }

    /// Carries out what was decided; at the end without a decision, the stored session stays unless something else is to
    /// be stored.
    ///
    /// - Returns: Whether it was decided.
    private mutating func settleLate(
        _ decision: StorageMailbox.Decision?, _ unsaved: UnsavedChanges, isClosing: Bool
    ) -> Bool {
        guard let found = late, decision != nil || isClosing else { return false }
        late = nil
        var keeps: Document?
        switch decision {
        case .load: break
        case .setAside(let document): keeps = document
        case nil:
            keeper.add(unsaved)
            if keeper.hasUnsaved { keeps = keeper.document }
        }
        attempt(.open, startedAt: .now) { (thread) throws(StorageFailure) in
            if let keeps {
                try thread.keeper.refuse(found, keeping: keeps)
            } else {
                try thread.keeper.adopt(found)
            }
        }
        if decision != nil { keeper.add(unsaved) }
        return true
    }

    // MARK: Copies

    private mutating func copy() {
        guard let work = keeper.copying() else {
            return schedule.copy(at: .now + .seconds(SessionCopies.pause))
        }
        schedule.copy(at: .now + .seconds(SessionCopies.interval))
        let onFailure = store.reports.onCopyFailure
        try? OrdinaryThread.start(name: "storage-copy") {
            do throws(StorageFailure) { try work() } catch { onFailure(error) }
        }
    }
}
