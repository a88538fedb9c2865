import Instrument

/// One run of the process callback: its times as the driver sees them. Its inputs and outputs are in ``RtPorts``.
public struct RtCycle: Sendable, BitwiseCopyable {
    /// Frames to render, 1 to ``longest``.
    public var frameCount: Int
    /// The driver's number of the first frame: JACK's frame time extended to 64 bits; offline, frames since the start.
    public var startFrame: Int64
    /// JACK's time of the first frame in µs; offline, computed from the frame count.
    public var startUsecs: UInt64
    /// Length of a frame in µs.
    public var usecsPerFrame: Double
    /// The time in µs at which the callback was called, on the clock of ``Engine/send(_:at:)``; offline,
    /// ``startUsecs``.
    public var nowUsecs: UInt64
    /// JACK's transport, or offline any source to follow.
    public var outside: OutsidePosition
    /// How often all remembered connections were restored; each time, receivers do not know which keys are down.
    public var connectionCount: Int32
    /// Frames from when a sample leaves the engine to when it is heard.
    public var playbackLatency: Int
    /// The same for a message at the port `midi_out`.
    public var midiOutLatency: Int
    /// The same for a message at the port `clock_out`.
    public var clockOutLatency: Int
    /// Whether missing frames before this cycle, up to a second of them, count as elapsed time. They do not for a
    /// driver that catches up, and skips frames only when it is too far behind.
    public var countsGaps: Bool

    /// Frames in the longest cycle. All buffers for a cycle's samples, here and in the drivers, have room for this
    /// many.
    public static var longest: Int { @_noLocks @_noAllocation get { AudioLimits.longestPeriod } }

    @_noLocks @_noAllocation
    public init(
        frameCount: Int, startFrame: Int64, startUsecs: UInt64, usecsPerFrame: Double, nowUsecs: UInt64,
        outside: OutsidePosition = OutsidePosition(), connectionCount: Int32 = 0, playbackLatency: Int = 0,
        midiOutLatency: Int = 0, clockOutLatency: Int = 0, countsGaps: Bool = true
    ) {
        self.frameCount = frameCount
        self.startFrame = startFrame
        self.startUsecs = startUsecs
        self.usecsPerFrame = usecsPerFrame
        self.nowUsecs = nowUsecs
        self.outside = outside
        self.connectionCount = connectionCount
        self.playbackLatency = playbackLatency
        self.midiOutLatency = midiOutLatency
        self.clockOutLatency = clockOutLatency
        self.countsGaps = countsGaps
    }

    /// The time in µs, on the clock of ``startUsecs``, of a frame of the cycle, or of the first one after it: rounded to
    /// the nearest.
    @_noLocks @_noAllocation
    public func usecs(at offset: Int) -> UInt64 { startUsecs + UInt64(Double(offset) * usecsPerFrame + 0.5) }
}
