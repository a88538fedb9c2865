import Control
import Journal
import Logging
import ServiceLifecycle
import Wire

/// Reports the storage's state to clients and the log, and writes unsaved changes at the end; if that fails, the daemon
/// ends with an error.
struct StorageService: Service {
    /// Changes were lost, because they could not be stored before the end.
    struct UnsavedChanges: Error, CustomStringConvertible {
        let description = "ended without storing the last changes"
    }

    /// The limit for the last write: with a working disk the whole shutdown must take less than a second.
    private static let lastWrite = Duration.milliseconds(400)

    let session: KeptSession
    let control: ControlCore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await status in session.statuses { report(status) }
        }
        guard await session.close(within: Self.lastWrite) else {
            logger.error("the last changes could not be stored and are lost")
            throw UnsavedChanges()
        }
    }

    private func report(_ status: StorageStatus) {
        switch status {
        case .saving:
            logger.info("the session is stored")
            control.storageChanged(to: StorageState())
        case .failing(let failure):
            logger.error("cannot store the session; trying again: \(failure)")
            control.storageChanged(to: StorageState(status: .failing, reason: "\(failure)"))
        }
    }
}
