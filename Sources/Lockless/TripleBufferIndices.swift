import Synchronization

/// Who may touch which of three slots, so that a writer can always publish a whole value and a reader always take the
/// newest; wait-free on both sides, one thread each.
///
/// Writer and reader own a slot each; the third lies between them and changes hands by one atomic exchange.
public struct TripleBufferIndices: ~Copyable, Sendable {
    private static let slotMask: UInt8 = 0b011
    private static let fresh: UInt8 = 0b100

    private let between = Atomic<UInt8>(1)
    /// Touched by the writer alone; atomic only so that the struct needs no mutation.
    private let writers = Atomic<UInt8>(0)
    /// Touched by the reader alone.
    private let readers = Atomic<UInt8>(2)

    /// Nothing published; the reader owns slot 2.
    public init() {}

    // MARK: Writer

    /// The slot to write to.
    @_noLocks @_noAllocation
    public func slotToWrite() -> Int { Int(writers.load(ordering: .relaxed)) }

    /// Hands what was written to the reader, in place of anything that it has not yet taken.
    ///
    /// - Returns: Whether there was such a thing: the reader will never see it.
    @discardableResult
    @_noLocks @_noAllocation
    public func didWrite() -> Bool {
        let mine = writers.load(ordering: .relaxed)
        let previous = between.exchange(mine | Self.fresh, ordering: .sequentiallyConsistent)
        writers.store(previous & Self.slotMask, ordering: .relaxed)
        return previous & Self.fresh != 0
    }

    // MARK: Reader

    /// The slot with the newest value when there is one that was not yet taken; it stays the reader's until the next
    /// call that returns one.
    @_noLocks @_noAllocation
    public func takeNewest() -> Int? {
        guard between.load(ordering: .sequentiallyConsistent) & Self.fresh != 0 else { return nil }
        let mine = readers.load(ordering: .relaxed)
        let newest = between.exchange(mine, ordering: .acquiringAndReleasing) & Self.slotMask
        readers.store(newest, ordering: .relaxed)
        return Int(newest)
    }
}
