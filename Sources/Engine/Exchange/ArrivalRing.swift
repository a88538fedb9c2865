import Lockless
import Synchronization

/// A message that came in at the MIDI input.
public struct MidiArrival: Sendable, BitwiseCopyable {
    /// The driver's frame on which it came.
    public var frame: Int64
    /// JACK's time of that frame in µs.
    public var usecs: UInt64
    /// The message; its own frame is 0.
    public var message: MidiEvent

    @_noLocks @_noAllocation
    init(frame: Int64, usecs: UInt64, message: MidiEvent) {
        self.frame = frame
        self.usecs = usecs
        self.message = message
    }
}

/// Messages on their way from the process callback to the control loop; and beside them where each controller stands, which
/// is known even when there were too many.
@safe
struct ArrivalRing: ~Copyable {
    private let indices: RingIndices
    private let slots: UnsafeMutablePointer<MidiArrival>
    private let lost = Counter()
    /// By channel * 128 + controller, plus 1; 0 for one that never came.
    private let values: UnsafeMutablePointer<Atomic<UInt8>>

    init() {
        indices = RingIndices(capacityBits: 11)
        unsafe slots = .allocate(capacity: indices.capacity)
        unsafe slots.initialize(
            repeating: MidiArrival(frame: 0, usecs: 0, message: MidiEvent(frame: 0, 0)), count: indices.capacity)
        unsafe values = .allocate(capacity: KeyLedger.Place.count)
        for index in 0..<KeyLedger.Place.count { unsafe (values + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe slots.deallocate()
        unsafe values.deallocate()
    }

    /// Messages that there was no room for.
    var lostCount: UInt64 { lost.value }

    /// Puts a message in, or counts it as lost when there is no room.
    @_noLocks @_noAllocation
    func push(_ arrival: MidiArrival) {
        let message = arrival.message
        if message.status & 0xf0 == 0xb0 {
            let place = KeyLedger.Place(channel: message.status & 0xf, key: message.first)
            unsafe values[place.index].store(message.second + 1, ordering: .relaxed)
        }
        guard let slot = indices.slotToFill() else { return lost.add(1) }
        unsafe slots[slot] = arrival
        indices.didFill()
    }

    /// The oldest message, nil when none waits.
    func pop() -> MidiArrival? {
        guard let slot = indices.slotToEmpty() else { return nil }
        let arrival = unsafe slots[slot]
        indices.didEmpty()
        return arrival
    }

    /// Where a controller stands, nil when it never came.
    func newestValue(controller: UInt8, channel: UInt8) -> UInt8? {
        let value = unsafe values[KeyLedger.Place(channel: channel, key: controller).index].load(ordering: .relaxed)
        return value == 0 ? nil : value - 1
    }
}
