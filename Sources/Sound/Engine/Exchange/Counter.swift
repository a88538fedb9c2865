import Synchronization

/// A number that one thread advances and others read. What was stored before it advanced is visible to who reads it.
struct Counter: ~Copyable, Sendable {
    private let count = Atomic<UInt64>(0)

    var value: UInt64 { @_noLocks @_noAllocation get { count.load(ordering: .acquiring) } }

    /// Advances to a number; by one thread only.
    @_noLocks @_noAllocation
    func set(_ number: UInt64) { count.store(number, ordering: .releasing) }

    /// Adds to the number; by one thread only.
    @_noLocks @_noAllocation
    func add(_ more: UInt64) {
        count.store(count.load(ordering: .relaxed) &+ more, ordering: .releasing)
    }
}

/// The highest level that one thread has reported since another last asked.
struct PeakHold: ~Copyable, Sendable {
    /// The bits of a float that is not negative; such floats sort like their bits.
    private let bits = Atomic<UInt32>(0)

    /// Reports a level, 0 or more.
    @_noLocks @_noAllocation
    func report(_ level: Float) {
        bits.max(level.bitPattern, ordering: .relaxed)
    }

    /// The highest level reported since the last call.
    @_noLocks @_noAllocation
    func fetch() -> Float {
        Float(bitPattern: bits.exchange(0, ordering: .relaxed))
    }
}
