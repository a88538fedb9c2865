import Lockless

/// Commands on their way from the control thread to the process callback.
@safe
struct CommandRing: ~Copyable {
    private let indices: RingIndices
    private let slots: UnsafeMutablePointer<RtCommand>

    init() {
        indices = RingIndices(capacityBits: 8)
        unsafe slots = .allocate(capacity: indices.capacity)
        unsafe slots.initialize(repeating: .stop, count: indices.capacity)
    }

    deinit { unsafe slots.deallocate() }

    /// Puts a command in; false when there is no room.
    func push(_ command: RtCommand) -> Bool {
        guard let slot = indices.slotToFill() else { return false }
        unsafe slots[slot] = command
        indices.didFill()
        return true
    }

    /// How many commands wait now.
    @_noLocks @_noAllocation
    func count() -> Int { indices.filledCount() }

    /// The oldest command, nil when none waits.
    @_noLocks @_noAllocation
    func pop() -> RtCommand? {
        guard let slot = indices.slotToEmpty() else { return nil }
        let command = unsafe slots[slot]
        indices.didEmpty()
        return command
    }
}
