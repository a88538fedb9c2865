import Engine

/// Where the engine renders, to be copied to JACK's ports in one go.
///
/// PipeWire's library (0.3.65) takes a port's memory away when something is connected to the port or disconnected, be it in
/// the middle of a cycle: what is fetched last and used for a microsecond is hardly ever hit. The copy costs less than a
/// tenth of that per port of 64 frames.
@safe
struct RenderedPeriod: ~Copyable {
    /// Frames that there is room for: JACK's longest usual period.
    static var capacity: Int {
        @_noLocks @_noAllocation get { 8192 }
    }

    /// The samples of all audio ports, one after the other by `EnginePort.index`.
    private let memory: UnsafeMutablePointer<Float>
    /// The messages of the MIDI ports, in the same order.
    private let messages: UnsafeMutableRawPointer
    /// Where each port's begin.
    private let table: UnsafeMutablePointer<UnsafeMutableRawPointer>

    init() {
        let (ports, audioPorts) = (EnginePort.all.count, EnginePort.audio.count)
        unsafe memory = .allocate(capacity: audioPorts * Self.capacity)
        unsafe memory.initialize(repeating: 0, count: audioPorts * Self.capacity)
        unsafe messages = .allocate(
            byteCount: (ports - audioPorts) * MidiBuffer.byteCount, alignment: MemoryLayout<Int>.alignment)
        unsafe table = .allocate(capacity: ports)
        for port in 0..<audioPorts {
            unsafe (table + port).initialize(to: UnsafeMutableRawPointer(memory + port * Self.capacity))
        }
        for port in audioPorts..<ports {
            unsafe (table + port).initialize(to: messages + (port - audioPorts) * MidiBuffer.byteCount)
            unsafe MidiBuffer(table[port]).clear()
        }
    }

    deinit {
        unsafe messages.deallocate()
        unsafe memory.deallocate()
        unsafe table.deallocate()
    }

    /// The samples of a port, by its index.
    @_noLocks @_noAllocation
    func samples(of index: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + index * RenderedPeriod.capacity
    }

    /// What came in, to be filled before a period is rendered.
    var midiIn: MidiBuffer {
        @_noLocks @_noAllocation get { unsafe ports.midiIn }
    }

    /// The messages of a MIDI port, by its index.
    @_noLocks @_noAllocation
    func messages(of index: Int) -> MidiBuffer { unsafe MidiBuffer(table[index]) }

    /// All ports, for the engine.
    var ports: RtPorts {
        @_noLocks @_noAllocation get { unsafe RtPorts(table) }
    }
}

extension RtCycle {
    /// A part of the cycle: from so many frames after its start, of at most so many frames.
    @_noLocks @_noAllocation
    func part(from offset: Int, atMost limit: Int) -> RtCycle {
        RtCycle(
            frameCount: min(frameCount - offset, limit), startFrame: startFrame + Int64(offset),
            startUsecs: startUsecs + UInt64(Double(offset) * usecsPerFrame), usecsPerFrame: usecsPerFrame,
            nowUsecs: nowUsecs, outside: outside.later(by: offset), connectionCount: connectionCount,
            playbackLatency: playbackLatency)
    }
}
