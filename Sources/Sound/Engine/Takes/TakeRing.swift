import Synchronization

/// The bytes of takes on their way from the process callback to the control thread; wait-free on both sides.
@safe
struct TakeRing: ~Copyable {
    private let bytes: FixedArray<UInt8>
    private let mask: UInt
    private let filled = Atomic<UInt>(0)
    private let emptied = Atomic<UInt>(0)
    private let wanted = Atomic<Bool>(false)
    private let hurried = Atomic<Bool>(false)
    private let abandoned = Atomic<Bool>(false)
    /// Takes that found no room to begin.
    let missed = Counter()
    // The numbers that counted in the newest cycle.
    private let score = Atomic<UInt>(0)
    private let timeline = Atomic<UInt>(0)
    private let kit = Atomic<Int>(0)
    /// What the control thread has taken out and not yet returned.
    let inbox = Mutex(TakeInbox())

    /// - Parameter capacity: In bytes; a power of 2.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of 2")
        mask = UInt(capacity) - 1
        // Written to now, so that the pages are in memory when the callback needs them.
        bytes = FixedArray(count: capacity) { _ in 0 }
    }

    var capacity: Int { Int(mask) + 1 }

    /// Whether takes are recorded.
    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    func setWanted(_ isWanted: Bool) { wanted.store(isWanted, ordering: .relaxed) }

    /// Whether all cycles so far are to be in the log with the next one.
    var isHurried: Bool { hurried.load(ordering: .acquiring) }

    func hurry() { hurried.store(true, ordering: .relaxed) }

    /// Whether nobody keeps the take under way.
    var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    func setAbandoned(_ isAbandoned: Bool) { abandoned.store(isAbandoned, ordering: .relaxed) }

    // MARK: On the audio thread

    /// All cycles are in the log.
    func catchUp() { hurried.store(false, ordering: .releasing) }

    /// Where the next byte goes.
    var end: UInt { filled.load(ordering: .relaxed) }

    /// Bytes that can be written from a place on.
    func room(from place: UInt) -> Int { capacity - Int(place &- emptied.load(ordering: .acquiring)) }

    /// Writes a byte, for which there is room. It can be read once it is published.
    func write(_ byte: UInt8, at place: UInt) { bytes[Int(place & mask)] = byte }

    /// Writes several, for which there is room.
    func write(_ source: UnsafeRawPointer, count: Int, at place: UInt) {
        let start = Int(place & mask)
        let first = min(count, capacity - start)
        unsafe UnsafeMutableRawPointer(bytes.elements + start).copyMemory(from: source, byteCount: first)
        guard first < count else { return }
        unsafe UnsafeMutableRawPointer(bytes.elements).copyMemory(from: source + first, byteCount: count - first)
    }

    /// Publishes the bytes up to a place.
    func publish(to place: UInt) { filled.store(place, ordering: .releasing) }

    /// Reports the numbers that count now: nothing that is published later refers to earlier ones.
    func report(_ numbers: TakeNumbers) {
        if score.load(ordering: .relaxed) != numbers.score { score.store(numbers.score, ordering: .releasing) }
        if timeline.load(ordering: .relaxed) != numbers.timeline {
            timeline.store(numbers.timeline, ordering: .releasing)
        }
        if kit.load(ordering: .relaxed) != numbers.kit { kit.store(numbers.kit, ordering: .releasing) }
    }

    // MARK: On the thread that keeps takes

    /// The numbers that were reported last.
    var numbers: TakeNumbers {
        TakeNumbers(
            score: score.load(ordering: .acquiring), timeline: timeline.load(ordering: .acquiring),
            kit: kit.load(ordering: .acquiring))
    }

    /// Whether everything that was published has been taken out. Any thread may ask. On another
    /// thread, what has just been taken out may still seem to be there.
    var isEmpty: Bool { filled.load(ordering: .acquiring) == emptied.load(ordering: .relaxed) }

    /// Appends the bytes that were published to others, and frees their room.
    func take(into others: inout [UInt8]) {
        let first = emptied.load(ordering: .relaxed)
        let count = Int(filled.load(ordering: .acquiring) &- first)
        guard count > 0 else { return }
        let start = Int(first & mask)
        let part = min(count, capacity - start)
        unsafe others.append(contentsOf: UnsafeBufferPointer(start: bytes.elements + start, count: part))
        unsafe others.append(contentsOf: UnsafeBufferPointer(start: bytes.elements, count: count - part))
        emptied.store(first &+ UInt(count), ordering: .releasing)
    }
}
