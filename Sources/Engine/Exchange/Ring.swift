import Synchronization

/// A ring between one thread that fills it and one that empties it; wait-free on both sides.
@safe
struct Ring<Element: BitwiseCopyable>: ~Copyable {
    private let slots: UnsafeMutablePointer<Element>
    private let mask: UInt
    private let written = Atomic<UInt>(0)
    private let taken = Atomic<UInt>(0)

    /// An empty ring with 2^`capacityBits` slots.
    ///
    /// - Parameter filler: What the slots hold before they are filled.
    init(capacityBits: Int, _ filler: Element) {
        precondition((1...16).contains(capacityBits), "a ring has 2 to 65536 slots")
        mask = 1 << UInt(capacityBits) - 1
        unsafe slots = .allocate(capacity: 1 << capacityBits)
        unsafe slots.initialize(repeating: filler, count: 1 << capacityBits)
    }

    deinit { unsafe slots.deallocate() }

    /// How many elements the ring holds at most.
    var capacity: Int { Int(mask) + 1 }

    // MARK: On the thread that fills it

    /// The slot to fill next, nil while the ring is full.
    func slotToFill() -> Int? {
        let next = written.load(ordering: .relaxed)
        guard next &- taken.load(ordering: .acquiring) <= mask else { return nil }
        return Int(next & mask)
    }

    /// Puts an element in; false when there is no room.
    ///
    /// Sequentially consistent, so that a producer which then reads what the consumer published before looking into the
    /// ring sees either that or nothing taken too early.
    func push(_ element: Element) -> Bool {
        guard let slot = slotToFill() else { return false }
        unsafe slots[slot] = element
        written.store(written.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
        return true
    }

    /// Whether everything that was put in has been taken away.
    var isEmptied: Bool { taken.load(ordering: .acquiring) == written.load(ordering: .relaxed) }

    /// How many elements were ever put in; wraps around.
    var filledTotal: UInt { written.load(ordering: .relaxed) }

    // MARK: On the thread that empties it

    /// How many elements were ever taken away; wraps around as ``filledTotal`` does.
    var emptiedTotal: UInt { taken.load(ordering: .relaxed) }

    /// How many elements wait now; more may be added at any time.
    var count: Int { Int(written.load(ordering: .sequentiallyConsistent) &- taken.load(ordering: .relaxed)) }

    /// The slot of the oldest element, nil while the ring is empty.
    func slotToEmpty() -> Int? {
        count == 0 ? nil : Int(taken.load(ordering: .relaxed) & mask)
    }

    /// The oldest element, nil while the ring is empty.
    var first: Element? {
        guard let slot = slotToEmpty() else { return nil }
        return unsafe slots[slot]
    }

    /// Takes the oldest element away, once it has been dealt with.
    func removeFirst() {
        taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Takes the oldest element, nil while the ring is empty.
    func pop() -> Element? {
        guard let element = first else { return nil }
        removeFirst()
        return element
    }
}
