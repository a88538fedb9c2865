import Instrument
import Music
import Synchronization

/// The synthesizer and step clock, and both sides of the exchange with them.
///
/// One thread calls the control side, one keeps takes, and one (the process callback's) renders.
@safe
public final class Engine: Sendable {
    /// The callback's data, in memory that it can use without reference counting.
    ///
    /// Allocated in `init`, freed in `deinit`. The exchange is shared through its atomics; the rest belongs to the thread
    /// that renders, or to ``prepare(sampleRate:)`` while none does.
    nonisolated(unsafe) let context: UnsafeMutablePointer<Callback>
    /// The callback's master. Only the thread that renders uses it or, in an export, the one that calls `finish`; `mix` does not.
    nonisolated(unsafe) let master: UnsafeMutablePointer<Master>

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

    /// Makes the tables that all engines share at the usual sample rates: first those that a new engine needs, then those
    /// that it needs when it is prepared. An engine that needs one meanwhile waits for it. They take about as long as
    /// everything else at a start, so they may be made on a thread of their own.
    public static func makeTables() {
        _ = WavetableSet.at(sampleRate: 48_000)
        _ = MetalSet.at(sampleRate: 48_000)
    }

    // MARK: On the control thread

    /// Publishes the score to play from the next period on.
    ///
    /// - Returns: Its number. Scores are numbered upward from 1; the one that the engine was made with has number 0.
    @discardableResult
    public func publish(_ score: Score) -> UInt {
        unsafe context.pointee.exchange.scores.publish(score)
    }

    /// Publishes the timeline that a client holds, from the next period on.
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

    /// The driver's frame from which everything is heard that was published or sent before this call. If the driver skips
    /// frames, it is heard later.
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

/// An unsupported sample rate.
public struct UnplayableRate: Error, Equatable, CustomStringConvertible {
    /// In Hz.
    public let sampleRate: Double

    public var description: String {
        "the rate \(sampleRate) Hz is outside \(Engine.sampleRates.lowerBound) to \(Engine.sampleRates.upperBound) Hz"
    }
}
