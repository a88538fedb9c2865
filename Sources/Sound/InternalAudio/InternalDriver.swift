import CLinux
import Engine
import Glibc
import Instrument
import Music
import Synchronization
import SystemSupport

/// The driver without an audio server: its own thread renders an ``Engine`` period by period, timed by the system's
/// monotonic clock. The audio is heard only through listeners.
@safe
public final class InternalDriver: Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Frames per period.
    public let period: Int

    private let engine: Engine
    /// Allocated in `init`, freed in `deinit`; its shared parts are atomic, and the rest belongs to the thread that
    /// renders, which keeps the driver alive.
    private nonisolated(unsafe) let state: UnsafeMutablePointer<CycleState>
    private let end = Latch()

    /// A driver that does nothing until ``run(_:)``, with all its memory allocated.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames per second.
    ///   - period: Frames per period, one of `AudioLimits.periods`.
    /// - Throws: ``Engine/UnplayableRate``.
    public init(engine: Engine, sampleRate: Int, period: Int) throws(UnplayableRate) {
        precondition(AudioLimits.periods.contains(period), "periods have \(AudioLimits.periods) frames")
        try engine.prepare(sampleRate: Double(sampleRate))
        self.engine = engine
        self.sampleRate = sampleRate
        self.period = period
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: CycleState(engine: engine, sampleRate: sampleRate, period: period))
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Runs until ``stop()``, or until the task is cancelled; call it once.
    ///
    /// - Parameter started: Called when rendering begins, with the thread's real-time priority; nil for none.
    /// - Throws: `OrdinaryThread.Failure`.
    public func run(_ started: @escaping @Sendable (Int?) -> Void) async throws {
        try OrdinaryThread.start(name: "internal-audio") { [self] in
            let priority = AudioThread.becomeRealtime()
            AudioThread.keepStackInMemory(of: pthread_self())
            started(priority)
            play()
            // What follows need not be done in real time.
            AudioThread.becomeOrdinary()
            end.open()
        }
        await withTaskCancellationHandler {
            await end.wait()
        } onCancel: {
            requestStop()
        }
    }

    /// Plays until everything sent to the engine before has been rendered and has faded, then ends the thread.
    public func stop() async {
        requestStop()
        await end.wait()
    }

    private func requestStop() {
        unsafe state.pointee.isStopping.store(true, ordering: .releasing)
    }

    public var statistics: Statistics {
        unsafe Statistics(
            cycles: state.pointee.cycles.load(ordering: .acquiring), gaps: state.pointee.gaps.load(ordering: .relaxed),
            load: Double(bitPattern: state.pointee.load.load(ordering: .relaxed)),
            worstCycle: Double(state.pointee.worstTime.load(ordering: .relaxed)) / 1000)
    }

    /// The real-time part of the thread.
    private func play() {
        var clock = PeriodClock(
            startingAt: clinux_monotonic_nanoseconds(), sampleRate: sampleRate, period: period)
        var lastFrame = Int64.max
        while true {
            let turn = clock.turn(at: clinux_monotonic_nanoseconds())
            if turn.missed > 0 { unsafe state.pointee.countGap() }
            if turn.frame > lastFrame { return }
            if turn.isDue {
                unsafe state.pointee.process(turn)
            } else {
                Self.sleep(until: turn.due)
            }
            if lastFrame == .max, unsafe state.pointee.isStopping.load(ordering: .acquiring) {
                // What was sent before is rendered in the next period, and fades within 5 ms.
                lastFrame = turn.frame + Int64(sampleRate / 100 + period)
            }
        }
    }

    private static func sleep(until nanoseconds: UInt64) {
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        // If it wakes too soon, it is called again.
        _ = unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    }
}

extension InternalDriver {
    /// Statistics since the driver's start.
    public struct Statistics: Sendable, Equatable {
        /// Periods rendered.
        public var cycles: Int
        /// How often rendering was late by more than 0.1 s, so that periods were skipped.
        public var gaps: Int
        /// The mean share of the period that rendering needs, 0 to 1.
        public var load: Double
        /// The longest rendering of a period in µs.
        public var worstCycle: Double
    }
}
