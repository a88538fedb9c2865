import Lockless

/// The newest score on its way from the control thread to the process callback.
@safe
struct ScoreExchange: ~Copyable {
    private let indices = TripleBufferIndices()
    private let slots: UnsafeMutablePointer<Score>

    init(_ score: Score) {
        unsafe slots = .allocate(capacity: 3)
        unsafe slots.initialize(repeating: score, count: 3)
    }

    deinit { unsafe slots.deallocate() }

    /// Publishes a score in place of any that was not yet taken.
    func publish(_ score: Score) {
        unsafe slots[indices.slotToWrite()] = score
        indices.didWrite()
    }

    /// The newest score if it was not yet taken; it stays as it is until the next call that returns one.
    @_noLocks @_noAllocation
    func takeNewest() -> UnsafePointer<Score>? {
        guard let slot = indices.takeNewest() else { return nil }
        return unsafe UnsafePointer(slots + slot)
    }
}
