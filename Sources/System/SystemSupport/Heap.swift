import CLinux

/// The memory that all threads allocate from.
public enum Heap {
    /// Blocks of this many bytes or more are mapped separately and returned to the system when freed. By default
    /// glibc raises this to the size of each such block freed, so that later ones of that size stay in the heap.
    private static let largeSize: CInt = 128 << 10

    /// Makes threads that start later share one heap (mallopt(3), `M_ARENA_MAX`), and keeps large blocks out of it
    /// (`M_MMAP_THRESHOLD`).
    public static func share() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, largeSize)
    }
}
