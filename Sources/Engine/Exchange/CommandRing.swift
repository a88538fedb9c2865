import Lockless

/// A command, and when it was sent in µs.
struct SentCommand: BitwiseCopyable {
    var command: RtCommand
    var usecs: UInt64

    /// Whether the command had to wait for much longer than until the next period, as it does when the server hangs.
    @_noLocks @_noAllocation
    func isLate(in cycle: RtCycle) -> Bool {
        let age = Double(Int64(bitPattern: cycle.nowUsecs &- usecs))
        return age > 100_000 + Double(cycle.frameCount) * cycle.usecsPerFrame
    }
}

/// Commands on their way from the control thread to the process callback.
@safe
struct CommandRing: ~Copyable {
    private let indices: RingIndices
    private let slots: UnsafeMutablePointer<SentCommand>

    init() {
        indices = RingIndices(capacityBits: 8)
        unsafe slots = .allocate(capacity: indices.capacity)
        unsafe slots.initialize(repeating: SentCommand(command: .stop, usecs: 0), count: indices.capacity)
    }

    deinit { unsafe slots.deallocate() }

    /// Puts a command in; false when there is no room.
    func push(_ command: SentCommand) -> Bool {
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
    func first() -> SentCommand? {
        guard let slot = indices.slotToEmpty() else { return nil }
        return unsafe slots[slot]
    }

    /// Takes the oldest command away, once it has been obeyed and what it led to was told.
    @_noLocks @_noAllocation
    func removeFirst() { indices.didEmpty() }

    /// Whether all commands put in have been obeyed: the notices that tell so can be taken.
    var isSettled: Bool { indices.isEmptied }
}
