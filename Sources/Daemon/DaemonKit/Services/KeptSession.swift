import Control
import Logging
import Music
import Session
import Store

struct KeptSession: Sendable {
    private let store: SessionStore
    /// What a new session begins with.
    private let first: Document
    /// The session as it was left.
    let document: Document
    /// What was wrong with the stored session, in words; nil for nothing.
    let loss: String?
    /// Reports when writing starts to fail, including the first write, and when it works again; for one reader.
    let statuses: AsyncStream<StorageStatus>
    /// The stored session if the disk answers only after the start; for one reader.
    let lateSessions: AsyncStream<Document>

    /// Opens the state directory, and logs damage. Waits for the disk up to 5 s.
    ///
    /// - Parameter first: What a new session begins with.
    /// - Throws: ``StorageFailure`` if another daemon uses the directory, or no thread can be started.
    init(in place: SessionStore.StoreFolder, beginningWith first: Document, logger: Logger) throws(StorageFailure) {
        let (statuses, status) = AsyncStream<StorageStatus>.makeStream()
        let (lateSessions, late) = AsyncStream<Document>.makeStream()
        let reports = StorageReports(
            onStatus: { status.yield($0) },
            onDelay: { delay in
                logger.warning("the disk is slow: storing changes took \(Int(delay / .milliseconds(1))) ms")
            },
            onLateSession: { document, report in
                for damage in report.damages { logger.warning("\(damage)") }
                late.yield(document)
            },
            onSetAside: { logger.warning("the session that was there is kept as \($0)") },
            onCopyFailure: { logger.warning("the session could not be copied: \($0)") })
        let opened = try SessionStore.open(place, beginningWith: first, reports: reports)
        store = opened.store
        (self.first, document) = (first, opened.document)
        loss = opened.report.loss
        (self.statuses, self.lateSessions) = (statuses, lateSessions)
        if opened.status != .saving { status.yield(opened.status) }
        for damage in opened.report.damages { logger.warning("\(damage)") }
        if let loss { logger.warning("\(loss)") }
        if opened.report.hasNoLocks {
            logger.warning("\(place.path) has no locks: do not start another daemon there")
        }
    }

    /// Passes the changes since the last call to the storage.
    func keepChanges(of session: isolated Session) {
        let changes = session.fetchChanges()
        if !changes.isEmpty { store.append(changes, leadingTo: session.document) }
    }

    /// Loads a stored session that was found after the start, or has it set aside.
    ///
    /// - Returns: Whether it was loaded.
    func decide(about stored: Document, in session: isolated Session, at now: Duration) -> Bool {
        let isLoaded = session.begin(with: stored, insteadOf: first, at: now)
        // The document has them.
        _ = session.fetchChanges()
        store.decide(keeping: isLoaded ? nil : session.document)
        return isLoaded
    }

    /// Waits until everything passed on is on disk; false on failure or timeout.
    func flush(within limit: Duration) async -> Bool {
        await store.flush(within: limit)
    }

    /// Writes unsaved changes; false on failure or timeout.
    func close(within limit: Duration) async -> Bool {
        await store.close(within: limit)
    }
}
