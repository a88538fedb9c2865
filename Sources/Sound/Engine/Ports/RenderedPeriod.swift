/// Memory for one period of all ports, where the engine renders.
@safe
public struct RenderedPeriod: ~Copyable {
    /// The samples of all audio ports, in the order of `EnginePort.index`.
    private let memory: UnsafeMutablePointer<Float>
    /// The messages of the MIDI ports, in the same order.
    private let messages: UnsafeMutableRawPointer
    /// Where each port's samples or messages begin.
    private let table: UnsafeMutablePointer<UnsafeMutableRawPointer>

    /// Silence.
    public init() {
        let (ports, audioPorts) = (EnginePort.all.count, EnginePort.audio.count)
        unsafe memory = .allocate(capacity: audioPorts * RtCycle.longest)
        unsafe memory.initialize(repeating: 0, count: audioPorts * RtCycle.longest)
        unsafe messages = .allocate(
            byteCount: (ports - audioPorts) * MidiBuffer.byteCount, alignment: MemoryLayout<Int>.alignment)
        unsafe table = .allocate(capacity: ports)
        for port in 0..<audioPorts {
            unsafe (table + port).initialize(to: UnsafeMutableRawPointer(memory + port * RtCycle.longest))
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

    @_noLocks @_noAllocation
    public func samples(of index: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + index * RtCycle.longest
    }

    /// The MIDI input, which the driver fills before a period is rendered.
    public var midiIn: MidiBuffer {
        @_noLocks @_noAllocation get { unsafe ports.midiIn }
    }

    @_noLocks @_noAllocation
    public func messages(of index: Int) -> MidiBuffer { unsafe MidiBuffer(table[index]) }

    /// All ports, for the engine.
    public var ports: RtPorts {
        @_noLocks @_noAllocation get { unsafe RtPorts(table) }
    }
}
