import Music
import Synchronization

/// Measures the outputs for oscilloscopes; idle without any.
struct Scope: ~Copyable {
    private let sampleRate: Int
    /// The part of the trace that is being measured.
    private var part = 0
    /// How much of it is measured: each frame adds ``unitsPerFrame``, and a part ends at ``sampleRate`` units, so that
    /// parts of 12.5 frames alternate between 12 and 13.
    private var elapsed = 0
    private var low = Float.infinity
    private var high = -Float.infinity
    private var peaks = PerTrack<Float>(repeating: 0)

    private static var unitsPerFrame: Int { ScopeTrace.partCount * ScopeTrace.rate }

    init(sampleRate: Double) {
        self.sampleRate = Int(sampleRate)
    }

    /// Measures a mixed cycle.
    mutating func measure(_ ports: RtPorts, _ cycle: RtCycle, _ exchange: borrowing ScopeExchange) {
        guard exchange.isWanted else { return beginTrace() }
        var offset = 0
        while offset < cycle.frameCount {
            let missing = (sampleRate - elapsed + Scope.unitsPerFrame - 1) / Scope.unitsPerFrame
            let count = min(missing, cycle.frameCount - offset)
            unsafe measure(ports, offset: offset, count: count)
            offset += count
            elapsed += count * Scope.unitsPerFrame
            guard elapsed >= sampleRate else { break }
            unsafe finishPart(of: exchange.draft)
            guard part == ScopeTrace.partCount else { continue }
            let time = cycle.usecs(at: offset)
            unsafe finishTrace(exchange.draft, at: time)
            exchange.publish()
        }
    }

    private mutating func measure(_ ports: RtPorts, offset: Int, count: Int) {
        let (left, right) = unsafe (ports.mainLeft, ports.mainRight)
        for frame in offset..<offset + count {
            unsafe low = min(low, min(left[frame], right[frame]))
            unsafe high = max(high, max(left[frame], right[frame]))
        }
        for track in 0..<trackCount {
            let samples = unsafe ports.track(track)
            var peak = peaks[track]
            for frame in offset..<offset + count { unsafe peak = max(peak, abs(samples[frame])) }
            peaks[track] = peak
        }
    }

    private mutating func finishPart(of trace: UnsafeMutablePointer<ScopeTrace>) {
        unsafe trace.pointee.lows[part] = Scope.thousandths(low)
        unsafe trace.pointee.highs[part] = Scope.thousandths(high)
        part += 1
        elapsed -= sampleRate
        beginPart()
    }

    private mutating func finishTrace(_ trace: UnsafeMutablePointer<ScopeTrace>, at usecs: UInt64) {
        for track in 0..<trackCount {
            unsafe trace.pointee.peaks[track] = Scope.thousandths(peaks[track])
            peaks[track] = 0
        }
        unsafe trace.pointee.usecs = usecs
        part = 0
    }

    private mutating func beginPart() {
        low = .infinity
        high = -.infinity
    }

    private mutating func beginTrace() {
        part = 0
        elapsed = 0
        for track in 0..<trackCount { peaks[track] = 0 }
        beginPart()
    }

    private static func thousandths(_ sample: Float) -> Int16 {
        let scaled = max(-1, min(1, sample)) * 1000
        return Int16(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
    }
}

/// An oscilloscope's trace of a thirtieth of a second, in thousandths of full scale.
public struct ScopeTrace: BitwiseCopyable, Sendable {
    /// Parts of a trace, all of the same length.
    public static var partCount: Int {
        @_noLocks @_noAllocation @_transparent get { 128 }
    }
    /// Traces per second.
    public static var rate: Int {
        @_noLocks @_noAllocation @_transparent get { 30 }
    }

    /// The lowest sample of each part of the main output, left and right together: -1000 to 1000.
    public internal(set) var lows = InlineArray<128, Int16>(repeating: 0)
    /// The highest sample of each part of the main output, left and right together: -1000 to 1000.
    public internal(set) var highs = InlineArray<128, Int16>(repeating: 0)
    /// The highest absolute sample of each track: 0 to 1000.
    public internal(set) var peaks = PerTrack<Int16>(repeating: 0)
    /// JACK's time of its end in µs.
    public internal(set) var usecs: UInt64 = 0
}

/// The newest trace on its way from the process callback to the control thread, and whether traces are wanted.
struct ScopeExchange: ~Copyable {
    private let traces = TripleBuffer(ScopeTrace())
    private let wanted = Atomic<Bool>(false)

    // MARK: On the control thread

    /// Sets whether traces are wanted.
    func setWanted(_ isWanted: Bool) {
        wanted.store(isWanted, ordering: .relaxed)
    }

    /// The newest trace; nil if already read.
    func fetchNewest() -> ScopeTrace? {
        unsafe traces.fetchNewest()?.pointee
    }

    // MARK: On the audio thread

    /// Whether traces are wanted.
    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// The trace to write; it is the audio thread's until ``publish()``.
    var draft: UnsafeMutablePointer<ScopeTrace> { unsafe traces.draft }

    /// Publishes the written trace, in place of an unread one.
    func publish() { traces.publish() }
}
