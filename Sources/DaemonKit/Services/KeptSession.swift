import Journal
import Logging
import Music
import Session

struct KeptSession: Sendable {
    private let store: SessionStore
    /// The session as it was left.
    let document: Document
    /// Reports when writing starts to fail, including the first write, and when it works again; for one reader.
    let statuses: AsyncStream<StorageStatus>

    /// Opens the state directory, and logs damage.
    ///
    /// - Parameter first: The changes that a new session begins with.
    /// - Throws: ``StorageFailure`` if another daemon uses the directory, or no thread can be started.
    init(in directory: String, beginningWith first: [DocumentChange], logger: Logger) throws(StorageFailure) {
        let (statuses, continuation) = AsyncStream<StorageStatus>.makeStream()
        let opened = try SessionStore.open(directory) {
            continuation.yield($0)
        } onDelay: { delay in
            logger.warning("the disk is slow: storing changes took \(Int(delay / .milliseconds(1))) ms")
        }
        store = opened.store
        var document = opened.document
        if opened.report.isNew {
            for change in first where document.apply(change) { store.append([change], leadingTo: document) }
        }
        self.document = document
        self.statuses = statuses
        if opened.status != .saving { continuation.yield(opened.status) }
        for damage in opened.report.damages { logger.warning("\(damage)") }
    }

    /// Passes the changes since the last call to the storage.
    func keepChanges(of session: isolated Session) {
        let changes = session.takeChanges()
        if !changes.isEmpty { store.append(changes, leadingTo: session.document) }
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
