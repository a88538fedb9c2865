import CJack
import Synchronization

/// The ports for one device, and its queues between the process callback and the hub's thread.
///
/// Each queue has one writer and one reader: JACK's process thread on one side, on the other the thread of ``MidiHub``, or a
/// thread that holds its lock.
struct MidiSlot {
    var input: OpaquePointer?
    var output: OpaquePointer?
    /// Short messages from the device: the number of bytes, and three bytes.
    let received: UnsafeMutablePointer<jack_ringbuffer_t>?
    /// Messages for the device: two bytes of length, low byte first, then the bytes.
    let waiting: UnsafeMutablePointer<jack_ringbuffer_t>?
}

/// The context of JACK's callbacks. It outlives each client, and is never freed.
struct MidiCallbackState {
    /// How many devices can be played at once.
    static let slotCount = 4
    static let recordSize = 4

    let slots: UnsafeMutablePointer<MidiSlot>
    /// Wakes the thread: an eventfd.
    let wake: CInt
    /// Whether the server has shut down the client.
    let isShutDown: UnsafeMutablePointer<Atomic<Bool>>
    /// How many cycles have begun; only the process thread counts.
    let cycles: UnsafeMutablePointer<Atomic<Int>>
}

/// Registers the callbacks of a client that is not active yet.
func registerMidiCallbacks(of client: OpaquePointer, context: UnsafeMutablePointer<MidiCallbackState>) -> Bool {
    jack_on_shutdown(client, onShutdown, context)
    return jack_set_process_callback(client, onProcess, context) == 0
}

private let onShutdown: JackShutdownCallback = { context in
    guard let state = context?.assumingMemoryBound(to: MidiCallbackState.self).pointee else { return }
    state.isShutDown.pointee.store(true, ordering: .releasing)
    cjack_signal(state.wake)
}

private let onProcess: JackProcessCallback = { frameCount, context in
    process(frameCount, context)
    return 0
}

@_noLocks @_noAllocation
private func process(_ frameCount: jack_nframes_t, _ context: UnsafeMutableRawPointer?) {
    guard let state = context?.assumingMemoryBound(to: MidiCallbackState.self) else { return }
    // First, so that whoever finds a queue empty sees the number of the cycle that has emptied it.
    let cycles = state.pointee.cycles
    cycles.pointee.store(cycles.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    var hasReceived = false
    var index = 0
    while index < MidiCallbackState.slotCount {
        let slot = state.pointee.slots + index
        hasReceived = receive(slot, frameCount) || hasReceived
        send(slot, frameCount)
        index += 1
    }
    // A system call that does not wait, and only in cycles with input.
    if hasReceived { cjack_signal(state.pointee.wake) }
}

/// Queues the messages of a device; drops those that are longer than three bytes or do not fit.
@_noLocks @_noAllocation
private func receive(_ slot: UnsafeMutablePointer<MidiSlot>, _ frameCount: jack_nframes_t) -> Bool {
    guard let port = slot.pointee.input, let queue = slot.pointee.received,
        let buffer = jack_port_get_buffer(port, frameCount)
    else { return false }
    let count = jack_midi_get_event_count(buffer)
    var index: UInt32 = 0
    var isAny = false
    while index < count {
        var event = jack_midi_event_t()
        let isThere = jack_midi_event_get(&event, buffer, index) == 0
        index += 1
        guard isThere, let bytes = event.buffer, (1...3).contains(event.size),
            jack_ringbuffer_write_space(queue) >= MidiCallbackState.recordSize
        else { continue }
        var record = UInt32(event.size)
        record |= UInt32(bytes[0]) << 8
        if event.size > 1 { record |= UInt32(bytes[1]) << 16 }
        if event.size > 2 { record |= UInt32(bytes[2]) << 24 }
        write(record, into: queue)
        isAny = true
    }
    return isAny
}

@_noLocks @_noAllocation
private func write(_ record: UInt32, into queue: UnsafeMutablePointer<jack_ringbuffer_t>) {
    var record = record
    withUnsafeMutablePointer(to: &record) { cjack_ringbuffer_write(queue, $0, MidiCallbackState.recordSize) }
}

/// Sends a device its waiting messages, as many as a cycle has room for.
@_noLocks @_noAllocation
private func send(_ slot: UnsafeMutablePointer<MidiSlot>, _ frameCount: jack_nframes_t) {
    guard let port = slot.pointee.output, let queue = slot.pointee.waiting,
        let buffer = jack_port_get_buffer(port, frameCount)
    else { return }
    jack_midi_clear_buffer(buffer)
    while let length = nextLength(queue), jack_ringbuffer_read_space(queue) >= 2 + length,
        let target = jack_midi_event_reserve(buffer, 0, length)
    {
        jack_ringbuffer_read_advance(queue, 2)
        cjack_ringbuffer_read(queue, target, length)
    }
}

@_noLocks @_noAllocation
private func nextLength(_ queue: UnsafeMutablePointer<jack_ringbuffer_t>) -> Int? {
    guard jack_ringbuffer_read_space(queue) >= 2 else { return nil }
    var length: UInt16 = 0
    withUnsafeMutablePointer(to: &length) { cjack_ringbuffer_peek(queue, $0, 2) }
    return Int(UInt16(littleEndian: length))
}
