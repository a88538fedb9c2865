import StoreTestSupport
import Synchronization

/// A disk whose operations fail, wait or hang when the test says so.
final class FaultyDisk: Sendable {
    enum Operation: UInt32 { case open, read, write, sync }

    private static let count = Mutex(0)

    /// For SQLite.
    let name: String
    // The C code locks.
    private nonisolated(unsafe) let disk: OpaquePointer

    init() {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        name = "faulty-\(number)"
        disk = faulty_disk_make(name)
    }

    /// Lets operations fail from now on; nil for none.
    func fail(_ operation: Operation, with code: Int32?) { faulty_disk_fail(disk, operation.known, code ?? 0) }

    /// Lets each operation take so long.
    func slow(_ operation: Operation, milliseconds: Int32) {
        faulty_disk_slow(disk, operation.known, milliseconds * 1000)
    }

    /// Holds operations until ``release(_:)``.
    func hold(_ operation: Operation) { faulty_disk_hold(disk, operation.known, 1) }
    func release(_ operation: Operation) { faulty_disk_hold(disk, operation.known, 0) }

    /// How many operations were begun.
    func count(_ operation: Operation) -> Int { Int(faulty_disk_count(disk, operation.known)) }
}

extension FaultyDisk.Operation {
    fileprivate var known: faulty_operation { faulty_operation(rawValue: rawValue) }
}
