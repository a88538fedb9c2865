import Control
import Instrument
import InternalAudio
import Logging
import Music
import ServiceLifecycle
import Session
import Systemd

/// Keeps the internal driver running and reports it to the session.
struct InternalDriverService: Service {
    let driver: InternalDriver
    let control: ControlCore
    let figures: ProcessFigures
    let manager: ServiceManager?
    let logger: Logger

    /// How often to check for skipped periods.
    private static let gapInterval = Duration.seconds(1)

    func run() async throws {
        // Cancelled when this function returns.
        async let _ = reportGaps()
        try await control.run {
            try await driver.run { priority in started(priority) }
        } stop: {
            await driver.stop()
        }
        report(AudioState(driver: .own, status: .off, reason: "the internal driver was stopped"))
    }

    private func started(_ priority: Int?) {
        report(AudioState(driver: .own, status: .running, rate: driver.sampleRate, period: driver.period))
        let text = """
            internal driver: \(driver.sampleRate) Hz, \(driver.period) frames a period, \(schedulingText(priority)); \
            heard only by clients that listen
            """
        logger.info("\(text)")
        manager?.notify(.status(text))
    }

    private func report(_ state: AudioState) {
        control.notify { session, now in session.audioChanged(to: state, at: now) }
    }

    private func reportGaps() async {
        var known = 0
        let log = XrunLog("gaps, because the processor is too busy", logger: logger)
        while (try? await Task.sleep(for: Self.gapInterval)) != nil {
            let gaps = driver.statistics.gaps
            guard gaps != known else { continue }
            known = gaps
            figures.note(xruns: gaps)
            await log.grew(to: gaps)
        }
    }
}
