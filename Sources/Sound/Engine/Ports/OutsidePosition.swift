/// The state of the server's transport, which all its clients share, at a cycle's first frame.
public struct OutsidePosition: Sendable, BitwiseCopyable, Equatable {
    /// Whether it runs.
    public var isRolling: Bool
    /// Its own frame number.
    public var frame: Int64
    /// Bar and beat, if a timebase master publishes them; not necessarily plausible.
    public var bar: BarPosition?
    /// Whether we are the timebase master.
    public var isOurs: Bool

    /// A transport; by default stopped at its beginning.
    @_noLocks @_noAllocation
    public init(isRolling: Bool = false, frame: Int64 = 0, bar: BarPosition? = nil, isOurs: Bool = false) {
        self.isRolling = isRolling
        self.frame = frame
        self.bar = bar
        self.isOurs = isOurs
    }

    /// The transport this many frames later.
    @_noLocks @_noAllocation
    public func later(by frames: Int) -> OutsidePosition {
        guard isRolling else { return self }
        var later = self
        later.frame += Int64(frames)
        later.bar?.frameOffset += Int64(frames)
        return later
    }
}

/// A place in bars and beats, as a timebase master publishes it.
public struct BarPosition: Sendable, BitwiseCopyable, Equatable {
    /// From 1.
    public var bar: Int32
    /// From 1, within the bar.
    public var beat: Int32
    /// Within the beat.
    public var tick: Double
    /// Whether ``tick`` has a fraction; if not, the position is anywhere within the tick.
    public var isExact: Bool
    /// Ticks from the beginning of the song to that of the bar, whatever metre the bars before had; 0 in a later bar if
    /// the master leaves it out.
    public var barStartTick: Double
    /// Frames that have passed since the published place.
    public var frameOffset: Int64
    public var beatsPerBar: Double
    /// The note that a beat is: 4 for a quarter.
    public var beatType: Double
    public var ticksPerBeat: Double
    /// Beats per minute.
    public var bpm: Double

    /// A place; the default is the beginning at 120 quarters per minute, in bars of four.
    @_noLocks @_noAllocation
    public init(
        bar: Int32 = 1, beat: Int32 = 1, tick: Double = 0, isExact: Bool = false, barStartTick: Double = 0,
        frameOffset: Int64 = 0,
        beatsPerBar: Double = 4, beatType: Double = 4, ticksPerBeat: Double = 1920, bpm: Double = 120
    ) {
        self.bar = bar
        self.beat = beat
        self.tick = tick
        self.isExact = isExact
        self.barStartTick = barStartTick
        self.frameOffset = frameOffset
        self.beatsPerBar = beatsPerBar
        self.beatType = beatType
        self.ticksPerBeat = ticksPerBeat
        self.bpm = bpm
    }
}

/// The engine's request to the server's transport at the end of a cycle.
public struct OutsideRequest: Sendable, BitwiseCopyable {
    public var start = false
    public var stop = false
    /// To go to a frame.
    public var frame: Int64?
    /// Bar and beat at that frame, if they are ours to publish.
    public var bar: BarPosition?

    /// A request for nothing.
    @_noLocks @_noAllocation
    public init() {}

    /// Whether nothing is requested.
    public var isEmpty: Bool { !start && !stop && frame == nil }

    /// Adds another request, to be carried out after this one.
    @_noLocks @_noAllocation
    public mutating func add(_ later: OutsideRequest) {
        start = later.start || start && !later.stop
        stop = later.stop || stop && !later.start
        guard let frame = later.frame else { return }
        self.frame = frame
        bar = later.bar
    }
}
