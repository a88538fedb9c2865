import JackAudio
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import Session
import Systemd

/// Feeds the service manager's watchdog from the control loop, and only while the process callback moves too.
struct WatchdogService: Service {
    let manager: ServiceManager?
    let watchdog: Watchdog?
    let loop: any EventLoop
    let session: Session
    let jack: JackSupervisor

    func run() async throws {
        guard let manager, let watchdog else { return try await gracefulShutdown() }
        let interval = TimeAmount(watchdog.interval)
        let state = NIOLockedValueBox(watchdog)
        let feeding = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [session, jack] _ in
            let isRunning = session.assumeIsolated { $0.audio.state == .running }
            let cycle = isRunning ? UInt64(jack.statistics.cycles) : nil
            if state.withLockedValue({ $0.shouldFeed(audioCycle: cycle) }) { manager.notify(.watchdog) }
        }
        try await gracefulShutdown()
        feeding.cancel()
    }
}
