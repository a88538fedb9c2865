import Lockless

/// The newest timeline on its way from the control thread to the process callback.
@safe
struct TimelineExchange: ~Copyable {
    private let indices = TripleBufferIndices()
    private let slots: UnsafeMutablePointer<Timeline?>

    init() {
        unsafe slots = .allocate(capacity: 3)
        unsafe slots.initialize(repeating: nil, count: 3)
    }

    deinit { unsafe slots.deallocate() }

    /// Publishes a timeline, or that nobody holds one, in place of any that was not yet taken.
    func publish(_ timeline: Timeline?) {
        unsafe slots[indices.slotToWrite()] = timeline
        indices.didWrite()
    }

    /// The newest timeline if it was not yet taken; it stays as it is until the next call that returns one.
    @_noLocks @_noAllocation
    func takeNewest() -> UnsafePointer<Timeline?>? {
        guard let slot = indices.takeNewest() else { return nil }
        return unsafe UnsafePointer(slots + slot)
    }
}
