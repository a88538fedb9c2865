import CLinux
import Control
import Instrument
import InternalAudio
import JackAudio
import Music
import ServiceLifecycle
import Wire

/// The audio driver: a client of a JACK server, or the internal driver.
enum PlayingDriver: Sendable {
    case jack(JackSupervisor)
    case own(InternalDriver)

    /// Cycles rendered since the start.
    var cycles: Int {
        switch self {
        case .jack(let jack): jack.statistics.cycles
        case .own(let driver): driver.statistics.cycles
        }
    }

    /// After its end, whether nothing renders the engine any more: a callback of JACK may hang in the middle of a cycle.
    var hasLeftEngine: Bool {
        switch self {
        case .jack(let jack): jack.leaveEngine()
        case .own: true
        }
    }

    /// After its end, whether a call of JACK's library may hang.
    var hasLeftCall: Bool {
        switch self {
        case .jack(let jack): jack.hasLeftCall
        case .own: false
        }
    }

    /// Leads the JACK server's timebase, if there is one.
    func leadTimebase(_ isWanted: Bool) {
        if case .jack(let jack) = self { jack.leadTimebase(isWanted) }
    }

    /// The driver's clock and the system's at one moment.
    var clockTimes: ClockTimes {
        switch self {
        case .jack:
            let now = JackClock.reading
            return ClockTimes(jack: Int(now.jack), monotonic: Int(now.monotonic), monotonicRaw: Int(now.raw))
        case .own:
            let (now, raw) = (clinux_monotonic_nanoseconds() / 1000, clinux_raw_nanoseconds() / 1000)
            return ClockTimes(jack: Int(now), monotonic: Int(now), monotonicRaw: Int(raw))
        }
    }

    func statistics(_ state: AudioState) -> AudioStatistics {
        switch self {
        case .jack(let jack):
            let figures = jack.statistics
            return AudioStatistics(
                state: state, xruns: figures.xruns, load: figures.load / 100, worst: figures.worstCallback)
        case .own(let driver):
            let figures = driver.statistics
            return AudioStatistics(state: state, xruns: figures.gaps, load: figures.load, worst: figures.worstCycle)
        }
    }
}

extension ControlCore {
    /// Runs a driver until it ends; at a graceful shutdown the sound fades out before the driver stops.
    func run(driver: () async throws -> Void, stop: @escaping @Sendable () async -> Void) async throws {
        try await withGracefulShutdownHandler {
            try await driver()
        } onGracefulShutdown: {
            Task {
                await silence()
                await stop()
            }
        }
    }
}

/// The priority of a driver's audio thread, for the log.
func schedulingText(_ priority: Int?) -> String {
    priority.map { "real-time priority \($0)" } ?? "no real-time priority"
}
