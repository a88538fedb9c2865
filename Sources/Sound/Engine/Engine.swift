import Instrument
import Music
import Synchronization

// The interface that the drivers and the session build on.

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

/// The synthesizer and step clock, and both sides of the exchange with them.
///
/// One thread calls the control side, one thread (the process callback's) renders.
@safe
public final class Engine: Sendable {
    /// The callback's data, in memory that it can use without reference counting.
    ///
    /// Allocated in `init`, freed in `deinit`. The exchange is shared through its atomics; the rest belongs to the thread
    /// that renders, or to ``prepare(sampleRate:)`` while none does.
    nonisolated(unsafe) let context: UnsafeMutablePointer<Callback>
    /// The callback's master, which may have a thread of its own.
    private nonisolated(unsafe) let master: UnsafeMutablePointer<Master>

    /// An engine that is silent and stopped, with all its memory allocated. A driver prepares it before it renders.
    ///
    /// - Parameter takeCapacity: The bytes of takes that wait for ``nextTakeRecord()`` at most; a power of 2.
    public init(score: Score, takeCapacity: Int = 1 << 20) {
        unsafe context = .allocate(capacity: 1)
        unsafe context.initialize(to: Callback(score: score, takeCapacity: takeCapacity))
        unsafe master = context.pointee.master
    }

    deinit {
        unsafe context.deinitialize(count: 1)
        unsafe context.deallocate()
    }

    // MARK: On the control thread

    /// Publishes the score to play from the next period on.
    ///
    /// - Returns: Its number. Scores are numbered upward from 1; the one that the engine was made with has number 0.
    @discardableResult
    public func publish(_ score: Score) -> UInt {
        unsafe context.pointee.exchange.scores.publish(score)
    }

    /// Publishes the timeline that a client holds, from the next period on; nil when none does.
    ///
    /// - Parameters:
    ///   - timeline: With the times at which frames are played, on the clock of ``RtCycle/startUsecs``.
    ///   - holder: A number that grows with each new holder.
    ///   - orderCount: Counts the holder's starts and stops.
    ///   - tempoRevision: The current ``Score/tempoRevision``: a tempo set later overrides the one that a timeline
    ///     leaves behind.
    public func follow(_ timeline: Timeline?, holder: Int = 0, orderCount: Int = 0, tempoRevision: Int = 0) {
        var news = TimelineNews()
        (news.timeline, news.holder) = (timeline, holder)
        (news.orderCount, news.tempoRevision) = (orderCount, tempoRevision)
        follow(news)
    }

    /// The same as one value.
    ///
    /// - Returns: Its number, counted upward from 1; 0 is that no client has held one.
    @discardableResult
    public func follow(_ news: TimelineNews) -> UInt {
        unsafe context.pointee.exchange.timelines.publish(news)
        return unsafe context.pointee.exchange.timelines.newestNumber
    }

    /// Publishes the kit of samples that drums play from the next period on, unless the parameter `kit` names a
    /// built-in one; nil for none. Drums without a sample sound as in 808.
    ///
    /// - Returns: Its number. Kits are numbered upward from 1; 0 is none.
    @discardableResult
    public func publish(_ kit: SampleKit?) -> Int {
        unsafe context.pointee.exchange.samples.publish(kit)
    }

    /// Publishes the punch-ins as they are held from the next period on.
    ///
    /// An effect whose holder has another number begins. What the music's end has ended stays ended until then.
    public func publish(_ punchIns: PunchIns) {
        unsafe context.pointee.exchange.punchIns.publish(punchIns)
    }

    /// Frees kits of samples that are no longer played.
    ///
    /// - Returns: Whether old kits remain to be freed.
    @discardableResult
    public func releaseSamples() -> Bool {
        unsafe context.pointee.exchange.samples.release()
        return unsafe context.pointee.exchange.samples.isHoldingOld
    }

    /// Sends a one-shot command.
    ///
    /// - Parameter usecs: The time now in µs, on the clock of ``RtCycle/nowUsecs``. An audition that waited for the
    ///   callback for more than a period and 0.1 s is not played; other commands are carried out however late.
    /// - Returns: Whether there was room; the queue can be full only while no driver runs.
    public func send(_ command: RtCommand, at usecs: UInt64) -> Bool {
        unsafe context.pointee.exchange.commands.push(SentCommand(command: command, usecs: usecs))
    }

    /// Presses or releases a program's key with the first frame of the next period.
    ///
    /// - Parameter usecs: The time now in µs, on the clock of ``RtCycle/nowUsecs``. A key that waited for the callback
    ///   for more than a period and 0.1 s is not pressed.
    /// - Returns: Whether there was room.
    public func send(_ key: RtKey, at usecs: UInt64) -> Bool {
        unsafe context.pointee.exchange.keys.push(SentKey(key, usecs: usecs))
    }

    /// How many more keys can be sent now, at least.
    public var keyRoom: Int { unsafe context.pointee.exchange.keys.room }

    /// Whether all commands sent before this call have been carried out. The last transport notice read after it then
    /// includes their effects.
    public var isSettled: Bool { unsafe context.pointee.exchange.commands.isEmptied }

    /// How many commands have been sent; wraps around.
    public var sentCommands: UInt { unsafe context.pointee.exchange.commands.filledTotal }

    /// The oldest unread notice.
    public func nextNotice() -> RtNotice? { nextStampedNotice()?.notice }

    /// The oldest unread notice, and how many of the ``sentCommands`` had been carried out before its period. A step
    /// with a smaller count than when a command was sent started without it.
    public func nextStampedNotice() -> (notice: RtNotice, obeyedCommands: UInt)? {
        guard let stamped = unsafe context.pointee.exchange.sinks.notices.pop() else { return nil }
        return (stamped.notice, stamped.obeyedCommands)
    }

    /// The transport's state after the newest period; nil if already read.
    public func fetchReport() -> TransportReport? {
        unsafe context.pointee.exchange.sinks.reports.fetchNewest()?.pointee
    }

    /// The highest absolute sample of a track's port since the last call; 0 for silence.
    public func fetchPeak(track: Int) -> Float {
        unsafe context.pointee.exchange.sinks.peaks.fetch(track: track)
    }

    /// Turns the traces for ``fetchTrace()`` on or off.
    public func setScope(isWanted: Bool) {
        unsafe context.pointee.exchange.sinks.scope.setWanted(isWanted)
    }

    /// An oscilloscope's trace of the last thirtieth of a second; nil if already read.
    public func fetchTrace() -> ScopeTrace? {
        unsafe context.pointee.exchange.sinks.scope.fetchNewest()
    }

    /// Turns copying of the main output for ``nextBlock()`` on or off.
    public func setListening(isWanted: Bool) {
        unsafe context.pointee.exchange.sinks.blocks.setWanted(isWanted)
    }

    /// The oldest unread block of the main output. There is room for more than a second; further blocks are lost until
    /// it is read, which leaves a gap in the frame numbers.
    public func nextBlock() -> AudioBlock? {
        unsafe context.pointee.exchange.sinks.blocks.pop()
    }

    /// The driver's frame from which anything published or sent before this call is heard; too early a frame only if
    /// the driver skips frames.
    public var nextFrame: Int64 { unsafe context.pointee.exchange.nextFrame.load(ordering: .sequentiallyConsistent) }

    /// Notices lost because they were not read in time.
    public var droppedNotices: UInt64 { unsafe context.pointee.exchange.sinks.notices.droppedCount }

    /// The oldest unread message of the MIDI input, except clock ticks and active sensing.
    public func nextArrival() -> MidiArrival? {
        unsafe context.pointee.exchange.sinks.midi.nextArrival()
    }

    /// Messages of the MIDI input lost because they were not read in time. The positions of controllers are still
    /// known.
    public var lostArrivals: UInt64 { unsafe context.pointee.exchange.sinks.midi.lostCount }

    /// The last position of a controller on a channel, 0 to 15; nil if it was never received.
    public func newestValue(controller: UInt8, channel: UInt8) -> UInt8? {
        unsafe context.pointee.exchange.sinks.midi.newestValue(controller: controller, channel: channel)
    }

    /// Counts of MIDI messages that were delayed, skipped, or our own coming back.
    public var midiCounts: MidiCounts { unsafe context.pointee.exchange.sinks.midi.counts }

    /// The supported sample rates, in Hz.
    public static var sampleRates: ClosedRange<Int> { AudioLimits.sampleRates }

    /// Whether a rate in Hz is among the ``sampleRates``.
    public static func plays(sampleRate: Double) -> Bool {
        sampleRate >= Double(sampleRates.lowerBound) && sampleRate <= Double(sampleRates.upperBound)
    }

    /// Sets the sample rate in Hz, and drops all sound; position and transport stay, and keys end. Before the first cycle,
    /// and then only while no driver runs.
    ///
    /// - Throws: ``UnplayableRate`` if it is not among the ``sampleRates``; nothing has changed then.
    public func prepare(sampleRate: Double) throws(UnplayableRate) {
        guard Engine.plays(sampleRate: sampleRate) else { throw UnplayableRate(sampleRate: sampleRate) }
        unsafe context.pointee.prepare(sampleRate: sampleRate)
    }

    // MARK: On the audio thread

    /// The engine's audio side, for the process callback; valid as long as the engine lives.
    public var realtime: RtEngine { unsafe RtEngine(context: context) }

    /// The tracks that sounded in the last cycle.
    public var soundingTracks: TrackSet { unsafe context.pointee.synth.sounding }

    /// Whether nothing sounded in the cycle rendered last, and the effects are silent until something does.
    public var isSilent: Bool { unsafe soundingTracks.isEmpty && master.pointee.isSilent }

    /// Renders one cycle.
    ///
    /// - Returns: The request to the transport that ``RtCycle/outside`` describes.
    @discardableResult
    public func render(_ cycle: RtCycle, _ ports: RtPorts) -> OutsideRequest {
        unsafe realtime.render(cycle, ports)
    }
}

// MARK: - On two threads

/// A cycle whose tracks are mixed, but which has no effects yet and is not clipped.
@safe
public final class UnfinishedMix {
    fileprivate var mix: Mix
    fileprivate let longest: Int

    /// An empty one.
    ///
    /// - Parameter longest: Frames in the longest cycle.
    public init(longest: Int) {
        self.longest = longest
        mix = Mix(longest: longest)
    }

    /// The tracks that sound in it.
    public var sounding: TrackSet { mix.sounding }
}

extension Engine {
    /// Does the first half of the work of ``render(_:_:)``: renders the tracks of a cycle and mixes them. Meanwhile
    /// another thread may ``finish(_:_:)`` earlier cycles. Nothing else may render the engine, whose scopes and blocks
    /// remain empty.
    ///
    /// - Returns: The request to the transport that ``RtCycle/outside`` describes.
    @discardableResult
    public func mix(_ cycle: RtCycle, _ ports: RtPorts, into unfinished: UnfinishedMix) -> OutsideRequest {
        precondition(cycle.frameCount <= unfinished.longest, "a cycle is longer than the memory for its samples")
        return unsafe context.pointee.synth.render(cycle, ports, &unfinished.mix, context.pointee.exchange)
    }

    /// Adds the effects to the mix in the ports of a cycle, and clips it: cycle by cycle, in their order.
    ///
    /// - Returns: Whether the effects are silent until a track sounds.
    @discardableResult
    public func finish(_ unfinished: UnfinishedMix, _ ports: RtPorts) -> Bool {
        unsafe master.pointee.finish(&unfinished.mix, ports)
        return unsafe master.pointee.isSilent
    }
}

/// An unsupported sample rate.
public struct UnplayableRate: Error, Equatable, CustomStringConvertible {
    /// In Hz.
    public let sampleRate: Double

    public var description: String {
        "the rate \(sampleRate) Hz is outside \(Engine.sampleRates.lowerBound) to \(Engine.sampleRates.upperBound) Hz"
    }
}

/// An ``Engine`` for the process callback: a pointer instead of the object, whose references would be counted.
@unsafe
public struct RtEngine {
    fileprivate let context: UnsafeMutablePointer<Callback>

    /// Renders one cycle.
    ///
    /// - Returns: The request to the transport that ``RtCycle/outside`` describes.
    @discardableResult
    @_noLocks @_noAllocation
    public func render(_ cycle: RtCycle, _ ports: RtPorts) -> OutsideRequest {
        precondition(cycle.frameCount <= RtCycle.longest, "a cycle is longer than the memory for its samples")
        return unsafe context.pointee.render(cycle, ports)
    }

    /// Whether the engine has had nothing to do for a second.
    public var isResting: Bool { @_noLocks @_noAllocation get { unsafe context.pointee.synth.isResting } }

    /// Skips a cycle without messages at the MIDI input if the engine rests and has nothing to do in it; its outputs
    /// are silent. For drivers that need no buffers for silence; ``render(_:_:)`` does the same and clears its buffers.
    ///
    /// - Returns: Whether it did; otherwise render the cycle.
    @_noLocks @_noAllocation
    public func rest(_ cycle: RtCycle) -> Bool {
        unsafe context.pointee.rest(through: cycle)
    }

    /// Forgets all sound between two cycles: voices, strips and effects are then as in a new engine at this rate. What is
    /// remembered while nothing sounds stays, values that still move included; so while everything is silent, nobody
    /// hears it. Long memory is only marked as empty.
    @_noLocks @_noAllocation
    public func resetSound() { unsafe context.pointee.resetSound() }

    /// Bar and beat at a frame of the outside transport, for others to follow; after a cycle, at the next frame. The
    /// engine remembers what it published, so that it does not follow itself.
    @_noLocks @_noAllocation
    public func publishBar(at frame: Int64) -> BarPosition {
        unsafe context.pointee.publishBar(at: frame)
    }

    /// Whether the outside transport's bar and beat are those that we published last, and not another master's.
    @_noLocks @_noAllocation
    public func hasPublished(_ bar: BarPosition) -> Bool {
        unsafe context.pointee.synth.hasPublished(bar)
    }
}
