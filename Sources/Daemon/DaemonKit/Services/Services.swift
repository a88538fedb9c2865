import Control
import Instrument
import Music
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import Session
import Systemd
import UnixSignals
import UnixSocket

/// Serves the control socket until the end.
struct ControlService: Service {
    /// How long to wait for clients that do not read.
    private static let patience = Duration.milliseconds(150)

    let socket: ControlSocket
    let control: ControlCore

    func run() async throws {
        try await gracefulShutdown()
        await socket.close()
        await control.shutdown(reason: "pixelboopd is stopping", within: Self.patience)
    }
}

/// Tells the service manager when clients can connect, and when the daemon is stopping.
struct ReadinessService: Service {
    let manager: ServiceManager?

    func run() async throws {
        manager?.notify(.ready)
        try await gracefulShutdown()
        manager?.notify(.stopping)
    }
}

/// Ends at the first signal that asks the daemon to end, and all other services with it.
///
/// The creator of this service traps the signals before clients can connect: `ServiceGroup` would trap them only once
/// all services run, and until then they would end the process at once and lose unwritten edits.
struct EndService: Service {
    let signals: UnixSignalsSequence

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { return }
    }
}

/// Feeds the service manager's watchdog from the control loop, and only while the process callback runs too.
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
