import CJack
import CLinux
import Engine
import Glibc
import Synchronization
import SystemSupport

/// What JACK's callbacks share with the driver's own thread.
///
/// It stays at a fixed address as long as a callback may come. Callbacks use it through a pointer, without reference
/// counting or locks.
@safe
struct CallbackState: ~Copyable {
    let engine: RtEngine
    /// Woken when a notice is set.
    let wake: WakeUp.Descriptor
    /// JACK's client, valid from its opening to its closing; written only while no callback runs.
    let client: UnsafeMutablePointer<OpaquePointer?>
    /// The client's ports.
    let ports = PortTable()
    /// The server's transport.
    let transport = SharedTransport()
    /// Used by the process thread only; copied to JACK's ports at the end of a cycle.
    ///
    /// PipeWire's library (0.3.65) unmaps a port's memory when the port is connected or disconnected, even in the
    /// middle of a cycle. A buffer that is fetched last and used for a microsecond is hardly ever hit. Copying 64
    /// frames to a port takes less than a tenth of that.
    private let rendered = RenderedPeriod()
    /// Whether the engine may be used.
    let ownership = EngineOwnership()
    /// Used by the process thread only.
    private let clock: UnsafeMutablePointer<FrameClock>

    /// Cycles rendered since the start.
    let cycles: Atomic<Int>
    /// Frames rendered since the start.
    let frames: Atomic<Int>
    /// The longest process callback in ns.
    let worstTime: Atomic<UInt64>
    /// JACK's load in percent, as the bits of a Float.
    let load = Atomic<UInt32>(0)
    /// Xruns since the start.
    let xruns: Atomic<Int>
    /// The server's frames per second.
    let sampleRate = Atomic<Int>(0)
    /// The server's frames per period.
    let period = Atomic<Int>(0)
    /// Frames from a sample's time in the process callback to when it is heard.
    let playbackLatency = Atomic<Int>(0)
    /// Frames from a message's time to when it is heard, at the MIDI output and at the clock's.
    let midiOutLatency = Atomic<Int>(0)
    let clockOutLatency = Atomic<Int>(0)
    /// How often a client's remembered connections were restored.
    let connectionCount = Atomic<Int32>(0)
    /// Whether JACK is in freewheel mode.
    let isFreewheeling = Atomic<Bool>(false)
    /// What JACK has reported since the driver last looked, as ``Notice`` bits.
    let notices = Atomic<UInt32>(0)
    /// Whether the server has left the client.
    let isServerGone = Atomic<Bool>(false)
    /// Why the server left us; complete before ``isServerGone`` and ``Notice/shutdown`` are set, and read after them.
    let shutdownReason: UnsafeMutablePointer<CChar>

    /// Room for the reason and its terminating zero.
    static let reasonCapacity = 256

    init(engine: Engine, wake: WakeUp.Descriptor) {
        self.init(engine: engine, wake: wake, cycles: 0, frames: 0, worstTime: 0, xruns: 0)
    }

    /// The state for another client; the counters continue.
    init(engine: Engine, wake: WakeUp.Descriptor, countingFrom other: borrowing CallbackState) {
        self.init(
            engine: engine, wake: wake, cycles: other.cycles.load(ordering: .relaxed),
            frames: other.frames.load(ordering: .relaxed),
            worstTime: other.worstTime.load(ordering: .relaxed), xruns: other.xruns.load(ordering: .relaxed))
    }

    private init(
        engine: Engine, wake: WakeUp.Descriptor, cycles: Int, frames: Int, worstTime: UInt64, xruns: Int
    ) {
        self.cycles = Atomic(cycles)
        self.frames = Atomic(frames)
        self.worstTime = Atomic(worstTime)
        self.xruns = Atomic(xruns)
        unsafe self.engine = unsafe engine.realtime
        self.wake = wake
        unsafe client = .allocate(capacity: 1)
        unsafe client.initialize(to: nil)
        unsafe clock = .allocate(capacity: 1)
        unsafe clock.initialize(to: FrameClock())
        unsafe shutdownReason = .allocate(capacity: Self.reasonCapacity)
        unsafe shutdownReason.initialize(repeating: 0, count: Self.reasonCapacity)
    }

    deinit {
        unsafe client.deallocate()
        unsafe clock.deallocate()
        unsafe shutdownReason.deallocate()
    }

    /// Forgets the last client; the counters continue.
    func reset() {
        unsafe client.pointee = nil
        ports.forgetAll()
        transport.reset()
        unsafe clock.pointee = FrameClock()
        notices.store(0, ordering: .relaxed)
        isServerGone.store(false, ordering: .relaxed)
        isFreewheeling.store(false, ordering: .relaxed)
        playbackLatency.store(0, ordering: .relaxed)
        midiOutLatency.store(0, ordering: .relaxed)
        clockOutLatency.store(0, ordering: .relaxed)
        load.store(0, ordering: .relaxed)
    }

    // MARK: On the audio thread

    /// Renders one cycle and measures how long that took. Renders silence for a client that was given up.
    @_noLocks @_noAllocation
    func process(frameCount: jack_nframes_t) {
        guard ownership.enter() else { return ports.silence(Int(frameCount)) }
        defer { ownership.leave() }
        let begin = clinux_monotonic_nanoseconds()
        let cycle = cycle(frameCount: frameCount, at: begin)
        if unsafe engine.isResting && !ports.hasMessages(cycle.frameCount) && engine.rest(cycle) {
            ports.silence(cycle.frameCount)
        } else {
            render(cycle: cycle)
            measure(since: begin)
        }
        count(frames: cycle.frameCount)
    }

    @_noLocks @_noAllocation
    private func cycle(frameCount: jack_nframes_t, at nanoseconds: UInt64) -> RtCycle {
        let client = unsafe client.pointee
        var start: jack_nframes_t = 0
        var startUsecs: jack_time_t = 0
        var nextUsecs: jack_time_t = 0
        var periodUsecs: Float = 0
        if unsafe jack_get_cycle_times(client, &start, &startUsecs, &nextUsecs, &periodUsecs) != 0 {
            start = unsafe jack_last_frame_time(client)
        }
        let time = CycleTime(
            startUsecs: startUsecs, periodUsecs: periodUsecs, frameCount: Int(frameCount),
            sampleRate: max(1, sampleRate.load(ordering: .relaxed)), now: jack_get_time())
        return unsafe RtCycle(
            frameCount: Int(frameCount), startFrame: clock.pointee.extend(start),
            startUsecs: time.startUsecs, usecsPerFrame: time.usecsPerFrame, nowUsecs: nanoseconds / 1000,
            outside: transport.read(client, by: engine), connectionCount: connectionCount.load(ordering: .relaxed),
            playbackLatency: playbackLatency.load(ordering: .relaxed),
            midiOutLatency: midiOutLatency.load(ordering: .relaxed),
            clockOutLatency: clockOutLatency.load(ordering: .relaxed))
    }

    @_noLocks @_noAllocation
    private func render(cycle: RtCycle) {
        var done = 0
        var request = OutsideRequest()
        ports.clearMidi(cycle.frameCount)
        while done < cycle.frameCount {
            let part = cycle.part(from: done, atMost: RtCycle.longest)
            unsafe ports.readMidi(into: rendered.midiIn, of: done..<(done + part.frameCount), cycle.frameCount)
            unsafe request.add(engine.render(part, rendered.ports))
            ports.writeMidi(rendered, from: done, cycle.frameCount)
            for port in 0..<ports.audioCount {
                guard let buffer = unsafe ports.buffer(of: port, cycle.frameCount) else { continue }
                let samples = unsafe rendered.samples(of: port)
                for frame in 0..<part.frameCount { unsafe buffer[done + frame] = samples[frame] }
            }
            done += part.frameCount
        }
        unsafe transport.obey(request, client.pointee)
    }

    /// Writes bar and beat into a position, for its frame, when JACK asks after the cycle.
    @_noLocks @_noAllocation
    func publishBar(_ position: UnsafeMutablePointer<jack_position_t>) {
        guard ownership.enter() else { return }
        defer { ownership.leave() }
        unsafe transport.publishBar(position, by: engine)
    }

    // Only this thread writes the counters, so separate loads and stores are safe.

    @_noLocks @_noAllocation
    private func measure(since begin: UInt64) {
        let time = clinux_monotonic_nanoseconds() &- begin
        if time > worstTime.load(ordering: .relaxed) { worstTime.store(time, ordering: .relaxed) }
    }

    @_noLocks @_noAllocation
    private func count(frames newFrames: Int) {
        unsafe load.store(jack_cpu_load(client.pointee).bitPattern, ordering: .relaxed)
        frames.store(frames.load(ordering: .relaxed) &+ newFrames, ordering: .relaxed)
        cycles.store(cycles.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    // MARK: On JACK's notification thread

    /// Reads the playback latencies: of samples, the longest of the main ports, or of the tracks' ports if the main
    /// ports lead nowhere; and those of the MIDI ports.
    func readPlaybackLatency() {
        midiOutLatency.store(longestLatency(where: { $0 == .midiOut }), ordering: .relaxed)
        clockOutLatency.store(longestLatency(where: { $0 == .clockOut }), ordering: .relaxed)
        let main = longestLatency(where: { $0.group == .main })
        let latency = main > 0 ? main : longestLatency(where: { $0.group == .tracks })
        if playbackLatency.exchange(latency, ordering: .relaxed) != latency { notify(.latency) }
    }

    private func longestLatency(where isIncluded: (EnginePort) -> Bool) -> Int {
        EnginePort.all.reduce(0) { longest, port in
            guard isIncluded(port), let handle = unsafe ports.handle(of: port) else { return longest }
            var range = jack_latency_range_t()
            unsafe jack_port_get_latency_range(handle, JackPlaybackLatency, &range)
            return max(longest, Int(range.max))
        }
    }

    /// Notes that the server has left, and why.
    func noteShutdown(_ reason: UnsafePointer<CChar>) {
        unsafe strncpy(shutdownReason, reason, Self.reasonCapacity - 1)
        isServerGone.store(true, ordering: .releasing)
        notify(.shutdown)
    }

    /// Leaves a notice for the driver's thread.
    func notify(_ notice: Notice) {
        notices.bitwiseOr(notice.rawValue, ordering: .releasing)
        wake.signal()
    }

    // MARK: On the driver's thread

    /// Reads and clears the notices since the last call.
    func fetchNotices() -> Notice {
        Notice(rawValue: notices.exchange(0, ordering: .acquiring))
    }

    var statistics: JackStatistics {
        JackStatistics(
            cycles: cycles.load(ordering: .acquiring), xruns: xruns.load(ordering: .relaxed),
            load: Double(Float(bitPattern: load.load(ordering: .relaxed))),
            worstCallback: Double(worstTime.load(ordering: .relaxed)) / 1000,
            isFreewheeling: isFreewheeling.load(ordering: .relaxed))
    }
}

/// What JACK reported to the client.
struct Notice: OptionSet, Sendable {
    let rawValue: UInt32

    /// The server is gone or has thrown the client out.
    static let shutdown = Notice(rawValue: 1 << 0)
    /// Ports came, were connected or disconnected.
    static let graph = Notice(rawValue: 1 << 1)
    /// The sample rate may have changed.
    static let sampleRate = Notice(rawValue: 1 << 2)
    /// The period may have changed.
    static let period = Notice(rawValue: 1 << 3)
    /// Ports left, or are about to.
    static let portsLeft = Notice(rawValue: 1 << 4)
    /// The latency of the ports' connections may have changed.
    static let latency = Notice(rawValue: 1 << 5)
}
