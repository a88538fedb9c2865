import CLinux

/// The memory that all threads allocate from.
public enum Heap {
    /// Lets threads that start later allocate from one heap (mallopt(3), `M_ARENA_MAX`): each would keep the memory of its busiest
    /// moment.
    public static func share() { clinux_share_heap() }

    /// Gives back to the system what is free (malloc_trim(3)). The allocator itself returns no more than what lies behind
    /// everything that is in use. Allocating threads may wait for some ms.
    public static func returnFree() { malloc_trim(0) }
}
