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

    /// The samples of all ports, one after the other by `EnginePort.index`.
    private let memory: UnsafeMutablePointer<Float>
    /// Where each port's begin.
    private let table: UnsafeMutablePointer<UnsafeMutableRawPointer>

    init() {
        let ports = EnginePort.all.count
        unsafe memory = .allocate(capacity: ports * Self.capacity)
        unsafe memory.initialize(repeating: 0, count: ports * Self.capacity)
        unsafe table = .allocate(capacity: ports)
        for port in 0..<ports {
            unsafe (table + port).initialize(to: UnsafeMutableRawPointer(memory + port * Self.capacity))
        }
    }

    deinit {
        unsafe memory.deallocate()
        unsafe table.deallocate()
    }

    /// The samples of a port, by its index.
    @_noLocks @_noAllocation
    func samples(of index: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + index * RenderedPeriod.capacity
    }

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
            nowUsecs: nowUsecs, outside: outside.later(by: offset))
    }
}
