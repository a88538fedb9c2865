import Synchronization

/// A part of what is to be used where it is. The compiler copies a large structure to pass it to a function that only reads
/// it, unless a part of it has a fixed place in memory, as atomics have.
struct Pinned: ~Copyable {
    private let place = Atomic<UInt8>(0)
}

/// A fixed number of elements in memory of their own.
///
/// To the compiler an `InlineArray` is one value: to read one element it may copy all of them first, which with voices
/// makes kilobytes. Elements reached through a pointer are used where they are.
@safe
struct FixedArray<Element: ~Copyable>: ~Copyable {
    /// The first of the elements; valid as long as the storage.
    let elements: UnsafeMutablePointer<Element>
    private let count: Int

    /// Elements made one by one from their indices.
    init(count: Int, _ make: (Int) -> Element) {
        self.count = count
        unsafe elements = .allocate(capacity: count)
        for index in 0..<count { unsafe (elements + index).initialize(to: make(index)) }
    }

    deinit {
        unsafe elements.deinitialize(count: count)
        unsafe elements.deallocate()
    }
}
