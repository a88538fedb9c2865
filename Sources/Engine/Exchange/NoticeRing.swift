import Lockless

/// Notices on their way from the process callback to the control loop.
@safe
struct NoticeRing: ~Copyable {
    private let indices: RingIndices
    private let slots: UnsafeMutablePointer<RtNotice>
    private let dropped = Counter()

    /// Notices lost since the start.
    var droppedCount: UInt64 { dropped.value }

    init() {
        indices = RingIndices(capacityBits: 10)
        unsafe slots = .allocate(capacity: indices.capacity)
        unsafe slots.initialize(repeating: .transport(state: .stopped, step: 0), count: indices.capacity)
    }

    deinit { unsafe slots.deallocate() }

    /// Puts a notice in, or counts it as lost when there is no room: nobody has taken any for a minute.
    @_noLocks @_noAllocation
    func push(_ notice: RtNotice) {
        guard let slot = indices.slotToFill() else {
            dropped.add(1)
            return
        }
        unsafe slots[slot] = notice
        indices.didFill()
    }

    /// The oldest notice, nil when none waits.
    func pop() -> RtNotice? {
        guard let slot = indices.slotToEmpty() else { return nil }
        let notice = unsafe slots[slot]
        indices.didEmpty()
        return notice
    }
}
