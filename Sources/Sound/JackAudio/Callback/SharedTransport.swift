import CJack
import Engine
import Synchronization

/// The transport that all clients of the server share, as the process thread reads and moves it.
@safe
struct SharedTransport: ~Copyable {
    /// The process thread's memory from one cycle to the next.
    private struct Watch {
        /// Whether the transport rolled with the timebase ours, so that JACK had to ask for bar and beat.
        var isAsked = false
        /// Whether JACK asked.
        var wasAsked = false
        /// How many cycles in a row JACK has published a bar and beat that are not ours.
        var foreignCycles = 0
    }

    /// A client that moves the transport may publish its own bar and beat with that, until JACK asks us.
    private static var patience: Int {
        @_noLocks @_noAllocation get { 4 }
    }

    /// Whether the timebase is ours. Set by the thread that calls JACK; reset by the process thread, which alone notices that
    /// another client has become master.
    let isTimebaseOurs = Atomic<Bool>(false)
    /// Used by the process thread only.
    private let watch: UnsafeMutablePointer<Watch>

    init() {
        unsafe watch = .allocate(capacity: 1)
        unsafe watch.initialize(to: Watch())
    }

    deinit { unsafe watch.deallocate() }

    /// Forgets the last client.
    func reset() {
        isTimebaseOurs.store(false, ordering: .relaxed)
        unsafe watch.pointee = Watch()
    }

    /// The transport at this cycle's first frame.
    @_noLocks @_noAllocation
    func read(_ client: OpaquePointer?, by engine: RtEngine) -> OutsidePosition {
        let position = unsafe cjack_query_transport(client)
        let bar = position.has_bar ? BarPosition(position) : nil
        var isOurs = isTimebaseOurs.load(ordering: .acquiring)
        let isForeign = if isOurs, let bar { unsafe !engine.hasPublished(bar) } else { false }
        let foreignCycles = isForeign ? unsafe watch.pointee.foreignCycles + 1 : 0
        // JACK now asks another master, or one took over while the transport was stopped.
        let isAnotherAsked = unsafe watch.pointee.isAsked && !watch.pointee.wasAsked
        if isOurs, isAnotherAsked || foreignCycles == Self.patience {
            isOurs = false
            isTimebaseOurs.store(false, ordering: .relaxed)
        }
        unsafe watch.pointee = Watch(isAsked: isOurs && position.is_rolling, foreignCycles: foreignCycles)
        return OutsidePosition(isRolling: position.is_rolling, frame: Int64(position.frame), bar: bar, isOurs: isOurs)
    }

    /// Carries out the engine's request.
    @_noLocks @_noAllocation
    func obey(_ request: OutsideRequest, _ client: OpaquePointer?) {
        if request.stop { unsafe jack_transport_stop(client) }
        if let frame = request.frame {
            let frame = jack_nframes_t(truncatingIfNeeded: frame)
            if let bar = request.bar {
                var position = cjack_transport_t(bar)
                position.frame = frame
                unsafe cjack_reposition(client, &position)
            } else {
                _ = unsafe jack_transport_locate(client, frame)
            }
        }
        if request.start { unsafe jack_transport_start(client) }
    }

    /// Writes bar and beat into a position, for its frame.
    @_noLocks @_noAllocation
    func publishBar(_ position: UnsafeMutablePointer<jack_position_t>, by engine: RtEngine) {
        unsafe watch.pointee.wasAsked = true
        var bar = unsafe cjack_transport_t(engine.publishBar(at: Int64(cjack_frame(position))))
        unsafe cjack_write_bar(position, &bar)
    }
}

extension BarPosition {
    @_noLocks @_noAllocation
    fileprivate init(_ position: cjack_transport_t) {
        self.init(
            bar: position.bar, beat: position.beat, tick: position.tick, isExact: position.is_exact,
            barStartTick: position.bar_start_tick, frameOffset: Int64(position.frame_offset),
            beatsPerBar: position.beats_per_bar, beatType: position.beat_type,
            ticksPerBeat: position.ticks_per_beat, bpm: position.bpm)
    }
}

extension cjack_transport_t {
    @_noLocks @_noAllocation
    fileprivate init(_ bar: BarPosition) {
        self.init(
            is_rolling: false, frame: 0, has_bar: true, bar: bar.bar, beat: bar.beat, tick: bar.tick,
            is_exact: bar.isExact, bar_start_tick: bar.barStartTick, frame_offset: 0,
            beats_per_bar: bar.beatsPerBar, beat_type: bar.beatType,
            ticks_per_beat: bar.ticksPerBeat, bpm: bar.bpm)
    }
}
