import Synchronization

/// A ring between one thread that fills it and one that empties it; wait-free on both sides.
struct Ring<Element: BitwiseCopyable>: ~Copyable {
    private let slots: FixedArray<Element>
    private let mask: UInt
    private let filled = Atomic<UInt>(0)
    private let emptied = Atomic<UInt>(0)

    /// An empty ring with 2^`capacityBits` slots.
    ///
    /// - Parameter filler: What the slots hold before they are filled.
    init(capacityBits: Int, _ filler: Element) {
        precondition((1...16).contains(capacityBits), "a ring has 2 to 65536 slots")
        mask = 1 << UInt(capacityBits) - 1
        slots = FixedArray(count: 1 << capacityBits) { _ in filler }
    }

    /// How many elements the ring can hold.
    var capacity: Int { Int(mask) + 1 }

    // MARK: On the thread that fills it

    /// The slot to fill next, nil while the ring is full.
    func slotToFill() -> Int? {
        let next = filled.load(ordering: .relaxed)
        guard next &- emptied.load(ordering: .acquiring) <= mask else { return nil }
        return Int(next & mask)
    }

    /// Adds an element; false when there is no room.
    ///
    /// Sequentially consistent: if the consumer missed this element, the producer then sees what the consumer had
    /// published before it looked.
    func push(_ element: Element) -> Bool {
        guard let slot = slotToFill() else { return false }
        slots[slot] = element
        filled.store(filled.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
        return true
    }

    /// Whether everything that was added has been removed.
    var isEmptied: Bool { emptied.load(ordering: .acquiring) == filled.load(ordering: .relaxed) }

    /// How many elements have been added; wraps around.
    var filledTotal: UInt { filled.load(ordering: .relaxed) }

    // MARK: On the thread that empties it

    /// How many elements have been removed; wraps around like ``filledTotal``.
    var emptiedTotal: UInt { emptied.load(ordering: .relaxed) }

    /// How many elements wait now; more may be added at any time.
    var count: Int { Int(filled.load(ordering: .sequentiallyConsistent) &- emptied.load(ordering: .relaxed)) }

    /// The slot of the oldest element, nil while the ring is empty.
    func slotToEmpty() -> Int? {
        count == 0 ? nil : Int(emptied.load(ordering: .relaxed) & mask)
    }

    /// The oldest element, nil while the ring is empty.
    var first: Element? {
        guard let slot = slotToEmpty() else { return nil }
        return slots[slot]
    }

    /// Removes the oldest element.
    func removeFirst() {
        emptied.store(emptied.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Removes and returns the oldest element, nil while the ring is empty.
    func pop() -> Element? {
        guard let element = first else { return nil }
        removeFirst()
        return element
    }
}
