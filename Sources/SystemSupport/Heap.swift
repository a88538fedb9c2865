import CLinux

/// The memory that all threads allocate from.
public enum Heap {
    /// The size in bytes from which on a block is mapped by itself and returned to the system when it is freed. By default glibc
    /// raises this to the size of the first such block that is freed; later ones of that size then stay in the heap.
    private static let largeSize: CInt = 128 << 10

    /// Lets threads that start later allocate from one heap (mallopt(3), `M_ARENA_MAX`), and keeps large blocks out of it
    /// (`M_MMAP_THRESHOLD`).
    public static func share() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, largeSize)
    }
}
