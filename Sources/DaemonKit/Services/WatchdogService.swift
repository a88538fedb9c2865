import Music
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
    let driver: PlayingDriver

    func run() async throws {
        guard let manager, let watchdog else { return try await gracefulShutdown() }
        let interval = TimeAmount(watchdog.interval)
        let state = NIOLockedValueBox(watchdog)
        let feeding = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [session, driver] _ in
            let audio = session.assumeIsolated { Watchdog.Audio($0, cycles: driver.cycles) }
            if state.withLockedValue({ $0.shouldFeed(audio) }) { manager.notify(.watchdog) }
        }
        try await gracefulShutdown()
        feeding.cancel()
    }
}

extension Watchdog.Audio {
    fileprivate init(_ session: isolated Session, cycles: Int) {
        self =
            if session.needsRestart {
                .stuck
            } else if session.audio.status == .running {
                .running(cycle: UInt64(cycles))
            } else {
                .silent
            }
    }
}
