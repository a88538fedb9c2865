import Engine

/// Where the engine renders, to be copied to JACK's ports in one go.
///
/// PipeWire's library (0.3.65) takes a port's memory away when something is connected to the port or disconnected, be it in
/// the middle of a cycle: what is fetched last and used for a microsecond is hardly ever hit. The copy costs less than a
/// tenth of that per port of 64 frames.
struct RenderedPeriod: ~Copyable {
    /// Frames that there is room for: JACK's longest usual period.
    static var capacity: Int {
        @_noLocks @_noAllocation get { 8192 }
    }

    /// The samples of all ports, one after the other by ``OutputPort/index``.
    private let samples: UnsafeMutablePointer<Float>

    init() {
        let count = 6 * Self.capacity
        samples = .allocate(capacity: count)
        samples.initialize(repeating: 0, count: count)
    }

    deinit {
        samples.deallocate()
    }

    /// A port's samples.
    @_noLocks @_noAllocation
    func port(_ index: Int) -> UnsafeMutablePointer<Float> {
        samples + index * RenderedPeriod.capacity
    }

    /// The samples of all ports, for the engine.
    var buffers: RtBuffers {
        @_noLocks @_noAllocation get {
            RtBuffers(
                mainLeft: port(OutputPort.mainLeft.index), mainRight: port(OutputPort.mainRight.index),
                melody: port(OutputPort.melody.index), chords: port(OutputPort.chords.index),
                bass: port(OutputPort.bass.index), rhythm: port(OutputPort.rhythm.index))
        }
    }
}

extension RtCycle {
    /// A part of the cycle: from so many frames after its start, of at most so many frames.
    @_noLocks @_noAllocation
    func part(from offset: Int, atMost limit: Int) -> RtCycle {
        RtCycle(
            frameCount: min(frameCount - offset, limit), startFrame: startFrame + Int64(offset),
            startUsecs: startUsecs + UInt64(Double(offset) * usecsPerFrame), usecsPerFrame: usecsPerFrame)
    }
}
