import CJack
import Engine

/// JACK's ports, in the order of `EnginePort.all`.
@safe
struct PortTable: ~Copyable {
    /// How many ports there are.
    let count = EnginePort.all.count
    /// Written only while no callback runs.
    private let handles: UnsafeMutablePointer<OpaquePointer?>

    /// No ports yet.
    init() {
        unsafe handles = .allocate(capacity: count)
        unsafe handles.initialize(repeating: nil, count: count)
    }

    deinit { unsafe handles.deallocate() }

    /// JACK's handle of a port, nil while no client is open.
    func handle(of port: EnginePort) -> OpaquePointer? { unsafe handles[port.index] }

    /// Keeps JACK's handle of a port, which is valid until the client is closed.
    func keep(_ handle: OpaquePointer, of port: EnginePort) { unsafe handles[port.index] = handle }

    /// Forgets all handles.
    func forgetAll() { unsafe handles.update(repeating: nil, count: count) }

    /// The buffer of an audio port in this cycle, by its index; JACK may move it from one cycle to the next.
    @_noLocks @_noAllocation
    func buffer(of index: Int, _ frameCount: Int) -> UnsafeMutablePointer<Float>? {
        guard let handle = unsafe handles[index] else { return nil }
        return unsafe jack_port_get_buffer(handle, jack_nframes_t(frameCount))?.assumingMemoryBound(to: Float.self)
    }

    /// Fills all audio outputs with silence.
    @_noLocks @_noAllocation
    func silence(_ frameCount: Int) {
        for index in 0..<count { unsafe buffer(of: index, frameCount)?.update(repeating: 0, count: frameCount) }
    }
}
