import Control
import Logging
import ServiceLifecycle
import Takes
import Wire

/// Reports to clients and the log what happens to takes, and ends the current one after the driver.
struct TakeService: Service {
    let takes: KeptTakes
    let driver: PlayingDriver
    let control: ControlCore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await news in takes.news { report(news) }
        }
        // Services end in reverse order, so the driver has.
        takes.end(after: driver)
    }

    private func report(_ news: KeptTakes.News) {
        guard case .status(let status) = news else { return control.takesChanged() }
        let reason = takes.note(status)
        control.takesStopped(because: reason)
        if let reason {
            logger.warning("takes are not kept: \(reason)")
        } else {
            logger.notice("takes are kept again")
        }
    }
}
