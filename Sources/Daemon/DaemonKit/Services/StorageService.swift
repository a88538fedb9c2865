import Control
import Logging
import Music
import ServiceLifecycle
import Store
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
        if let loss = session.loss { control.storageChanged(to: StorageState(reason: loss)) }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await status in session.statuses { report(status) } }
                group.addTask { for await late in session.lateSessions { decide(about: late) } }
            }
        }
        guard await session.close(within: Self.lastWrite) else {
            logger.error("the last changes could not be stored and are lost")
            throw UnsavedChanges()
        }
    }

    private func decide(about stored: Document) {
        control.notify { [session, logger] live, now in
            let isLoaded = session.decide(about: stored, in: live, at: now)
            logger.info("the disk answers: \(isLoaded ? "the stored session is loaded" : "this session is kept")")
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
