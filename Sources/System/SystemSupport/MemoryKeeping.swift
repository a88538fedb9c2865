/// How a driver has the memory of its callback kept in RAM.
public struct MemoryKeeping: Sendable {
    /// Keeps the memory that the process uses now in RAM, as far as that is allowed. Called when everything that the
    /// callback uses is allocated, before its first cycle.
    public let lock: @Sendable () -> Void
    /// Makes room under the limit for what others want to lock; returns whether there was anything to release.
    public let release: @Sendable () -> Bool

    public init(lock: @escaping @Sendable () -> Void, release: @escaping @Sendable () -> Bool) {
        self.lock = lock
        self.release = release
    }

    /// Leaves memory alone.
    public static let none = MemoryKeeping(lock: {}, release: { false })
}
