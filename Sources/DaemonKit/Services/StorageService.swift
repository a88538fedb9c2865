import Control
import Logging
import ServiceLifecycle
import Storage
import Wire

/// Tells clients and the log how storing goes, and in the end writes what is unsaved.
struct StorageService: Service {
    /// The longest that the last write may take; the whole shutdown is to take less than a second.
    private static let lastWrite = Duration.milliseconds(200)

    let session: KeptSession
    let control: ControlCore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await status in session.statuses { report(status) }
        }
        if await !session.close(within: Self.lastWrite) {
            logger.error("the last changes could not be stored")
        }
    }

    private func report(_ status: StorageStatus) {
        switch status {
        case .saving:
            logger.info("the session is stored")
            control.storageChanged(to: StorageState())
        case .failing(let failure):
            logger.error("the session cannot be stored; it is tried again: \(failure)")
            control.storageChanged(to: StorageState(status: .failing, reason: "\(failure)"))
        }
    }
}
