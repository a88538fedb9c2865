import CLinux

/// The memory that all threads allocate from.
public enum Heap {
    /// Bytes from which on memory comes from the system and goes back there. By default an export's first delay line raises that
    /// to its own size for good, and the next one's stay in the heap, which keeps the room of the busiest moment.
    private static let largeSize: CInt = 128 << 10

    /// Lets threads that start later allocate from one heap (mallopt(3), `M_ARENA_MAX`), and keeps what is large out of it
    /// (`M_MMAP_THRESHOLD`).
    public static func share() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, largeSize)
    }
}
