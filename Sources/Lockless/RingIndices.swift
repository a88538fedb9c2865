import Synchronization

/// The two counters of a ring between one producing and one consuming thread; wait-free on both sides.
///
/// The ring that owns the memory asks for a slot, fills or empties it, and says so. Elements stay outside, because the
/// compiler's real-time checks refuse generic storage.
public struct RingIndices: ~Copyable, Sendable {
    private let written = Atomic<UInt>(0)
    private let taken = Atomic<UInt>(0)
    private let mask: UInt

    /// Indices of an empty ring with 2^`capacityBits` slots.
    public init(capacityBits: Int) {
        precondition((1...16).contains(capacityBits), "a ring has 2 to 65536 slots")
        mask = 1 << UInt(capacityBits) - 1
    }

    /// How many elements the ring holds at most.
    public var capacity: Int {
        @_noLocks @_noAllocation get { Int(mask) + 1 }
    }

    // MARK: Producer

    /// The slot to fill next, nil while the ring is full.
    @_noLocks @_noAllocation
    public func slotToFill() -> Int? {
        let next = written.load(ordering: .relaxed)
        guard next &- taken.load(ordering: .acquiring) <= mask else { return nil }
        return Int(next & mask)
    }

    /// Hands the filled slot to the consumer.
    ///
    /// Sequentially consistent, so that a producer which then reads what the consumer published before looking into the
    /// ring sees either that or nothing taken too early.
    @_noLocks @_noAllocation
    public func didFill() {
        written.store(written.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Whether everything that was handed over has been emptied.
    public var isEmptied: Bool {
        taken.load(ordering: .acquiring) == written.load(ordering: .relaxed)
    }

    // MARK: Consumer

    /// How many filled slots there are now; more may be added at any time.
    @_noLocks @_noAllocation
    public func filledCount() -> Int {
        Int(written.load(ordering: .sequentiallyConsistent) &- taken.load(ordering: .relaxed))
    }

    /// The oldest filled slot, nil while the ring is empty.
    @_noLocks @_noAllocation
    public func slotToEmpty() -> Int? {
        filledCount() == 0 ? nil : Int(taken.load(ordering: .relaxed) & mask)
    }

    /// Hands the emptied slot back to the producer.
    @_noLocks @_noAllocation
    public func didEmpty() {
        taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }
}
