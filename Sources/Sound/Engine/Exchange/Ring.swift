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

    /// How many elements can be added now, at least.
    var room: Int { capacity - Int(filled.load(ordering: .relaxed) &- emptied.load(ordering: .acquiring)) }

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

    /// Removes the oldest element, or several.
    func removeFirst(_ count: Int = 1) {
        emptied.store(emptied.load(ordering: .relaxed) &+ UInt(count), ordering: .releasing)
    }

    /// Removes those of the oldest elements, at most ``count`` of them, for which it is true; the others keep their order.
    ///
    /// - Returns: How many of them remain.
    func drop(among count: Int, where isDropped: (Element) -> Bool) -> Int {
        let first = emptied.load(ordering: .relaxed)
        var (index, dropped) = (UInt(count), UInt(count))
        while index > 0 {
            index -= 1
            let element = slots[Int((first &+ index) & mask)]
            if isDropped(element) { continue }
            dropped -= 1
            slots[Int((first &+ dropped) & mask)] = element
        }
        removeFirst(Int(dropped))
        return count - Int(dropped)
    }

    /// The oldest elements, at most ``count`` of them; valid until they are removed.
    func oldest(_ count: Int) -> RingPart<Element> {
        unsafe RingPart(slots.elements, mask, first: emptied.load(ordering: .relaxed), count: count)
    }

    /// Removes and returns the oldest element, nil while the ring is empty.
    func pop() -> Element? {
        guard let element = first else { return nil }
        removeFirst()
        return element
    }
}

/// Some elements of a ring, read in place.
@safe
struct RingPart<Element: BitwiseCopyable>: BitwiseCopyable {
    let count: Int
    private let slots: UnsafePointer<Element>
    private let mask: UInt
    private let first: UInt

    fileprivate init(_ slots: UnsafePointer<Element>, _ mask: UInt, first: UInt, count: Int) {
        unsafe self.slots = slots
        (self.mask, self.first, self.count) = (mask, first, count)
    }

    /// An element, from 0 for the oldest.
    subscript(index: Int) -> Element {
        checkWhenDebugging(index >= 0 && index < count)
        return unsafe slots[Int((first &+ UInt(index)) & mask)]
    }
}
