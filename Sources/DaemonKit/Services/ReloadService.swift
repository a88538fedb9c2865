import Configuration
import Control
import Logging
import ServiceLifecycle
import Session
import Systemd
import UnixSignals

/// Reads the configuration again on SIGHUP, applies what it can, and logs which settings need a restart.
struct ReloadService: Service {
    /// SIGHUP, trapped since before the manager was notified that the daemon is up.
    let signals: UnixSignalsSequence
    let sources: ConfigurationSources
    let running: DaemonSettings
    let control: ControlCore
    let session: Session
    let manager: ServiceManager?
    let log: LogWriter
    let logger: Logger
    let clientLimit: ClientLimit

    func run() async throws {
        var running = running
        for await _ in signals.cancelOnGracefulShutdown() {
            manager?.notify(.reloadingNow)
            await reload(&running)
            manager?.notify(.ready)
        }
    }

    private func reload(_ running: inout DaemonSettings) async {
        do throws(ConfigurationError) {
            let reread = try LoadedConfiguration<DaemonTable>(sources).settings
            let (configuration, waiting) = running.applying(reread)
            running = configuration
            await apply(configuration)
            logger.notice("the configuration was read again")
            for name in waiting { logger.warning("\(name): the new value needs a restart") }
        } catch {
            logger.error("the configuration stays as it was: \(error)")
        }
    }

    private func apply(_ configuration: DaemonSettings) async {
        log.level = configuration.loggerLevel
        await session.setAudition(configuration.audition)
        control.allowClients(clientLimit.applied(to: configuration.maxClients, logger))
    }
}

extension DaemonSettings {
    var loggerLevel: Logger.Level { Logger.Level(rawValue: self.logLevel.rawValue) ?? .info }
}
