import Configuration
import Control
import Logging
import ServiceLifecycle
import Session
import Systemd
import UnixSignals

/// Reloads the configuration on SIGHUP, applies what it can, and logs which settings need a restart.
struct ReloadService: Service {
    /// SIGHUP, trapped before the service manager was told that the daemon is ready.
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
            logger.notice("the configuration was reloaded")
            for name in waiting { logger.warning("\(name): the new value needs a restart") }
        } catch {
            logger.error("the configuration is unchanged: \(error)")
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
