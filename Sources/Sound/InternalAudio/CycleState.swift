import CLinux
import Engine
import Synchronization
import SystemSupport

/// What the audio thread shares with readers of its statistics. It stays at a fixed address while the thread runs,
/// which uses it through a pointer, without reference counting or locks.
@safe
struct CycleState: ~Copyable {
    private let engine: RtEngine
    private let rendered = RenderedPeriod()
    private let sampleRate: Int
    private let period: Int

    /// Cycles rendered since the start.
    let cycles = Atomic<Int>(0)
    /// How often rendering was so late that periods were skipped.
    let gaps = Atomic<Int>(0)
    /// The longest cycle in ns.
    let worstTime = Atomic<UInt64>(0)
    /// The mean share of the period that rendering needs, as the bits of a Double.
    let load = Atomic<UInt64>(0)
    /// Whether the driver is no longer wanted.
    let isStopping = Atomic<Bool>(false)

    /// How much each cycle moves the mean.
    private static var smoothing: Double {
        @_noLocks @_noAllocation get { 0.01 }
    }

    init(engine: Engine, sampleRate: Int, period: Int) {
        unsafe self.engine = unsafe engine.realtime
        self.sampleRate = sampleRate
        self.period = period
    }

    /// Renders a period that is due, and measures how long that took.
    @_noLocks @_noAllocation
    func process(_ turn: PeriodClock.Turn) {
        clinux_flush_denormals()
        let begin = clinux_monotonic_nanoseconds()
        let cycle = RtCycle(
            frameCount: period, startFrame: turn.frame, startUsecs: (turn.due + 500) / 1000,
            usecsPerFrame: 1e6 / Double(sampleRate), nowUsecs: begin / 1000, countsGaps: false)
        // An engine that is listened to does not rest, so no listener misses the silence.
        if unsafe !engine.rest(cycle) {
            unsafe rendered.midiIn.clear()
            _ = unsafe engine.render(cycle, rendered.ports)
        }
        count(since: begin)
    }

    /// Only this thread writes the statistics, so separate loads and stores are safe.
    @_noLocks @_noAllocation
    private func count(since begin: UInt64) {
        let time = clinux_monotonic_nanoseconds() &- begin
        if time > worstTime.load(ordering: .relaxed) { worstTime.store(time, ordering: .relaxed) }
        let share = Double(time) * Double(sampleRate) / (Double(period) * 1e9)
        let mean = Double(bitPattern: load.load(ordering: .relaxed))
        load.store((mean + (share - mean) * CycleState.smoothing).bitPattern, ordering: .relaxed)
        cycles.store(cycles.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Counts a stretch of periods that were skipped.
    @_noLocks @_noAllocation
    func countGap() {
        gaps.store(gaps.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}
