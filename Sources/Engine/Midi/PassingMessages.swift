/// Messages of others that wait to be sent on, in the order in which they came. The oldest go when there is no room.
struct PassingMessages: ~Copyable {
    private let events = FixedArray<MidiEvent>(count: PassingMessages.capacity) { _ in MidiEvent(frame: 0, 0) }
    private var first = 0
    private var count = 0

    private static var capacity: Int { 256 }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ event: MidiEvent) {
        if count == PassingMessages.capacity { _ = removeFirst() }
        unsafe events.elements[(first + count) % PassingMessages.capacity] = event
        count += 1
    }

    mutating func removeFirst() -> MidiEvent? {
        guard count > 0 else { return nil }
        defer {
            first = (first + 1) % PassingMessages.capacity
            count -= 1
        }
        return unsafe events.elements[first]
    }
}
