import Synchronization

/// A member that prevents copies of its structure: the compiler copies a large structure to pass it to a function that
/// only reads it, unless it has a member with a fixed address, such as an atomic.
struct Pinned: ~Copyable {
    private let place = Atomic<UInt8>(0)
}

/// A fixed number of elements in their own memory.
///
/// To read one element of an `InlineArray`, the compiler may copy all of it first: kilobytes, with voices. Elements
/// behind a pointer are used in place. Debug builds check every index; loops over samples use ``elements``.
@safe
struct FixedArray<Element: ~Copyable>: ~Copyable {
    /// The first of the elements; valid as long as the storage.
    let elements: UnsafeMutablePointer<Element>
    let count: Int

    /// Elements made one by one from their indices.
    init(count: Int, _ make: (Int) -> Element) {
        self.count = count
        unsafe elements = .allocate(capacity: count)
        for index in 0..<count { unsafe (elements + index).initialize(to: make(index)) }
    }

    init(_ array: [Element]) where Element: Copyable {
        count = array.count
        unsafe elements = .allocate(capacity: count)
        unsafe array.withUnsafeBufferPointer { array in
            if let first = array.baseAddress { unsafe elements.initialize(from: first, count: array.count) }
        }
    }

    /// An element, used in place.
    subscript(index: Int) -> Element {
        @_transparent unsafeAddress {
            checkWhenDebugging(index >= 0 && index < count)
            return unsafe UnsafePointer(elements + index)
        }
        @_transparent nonmutating unsafeMutableAddress {
            checkWhenDebugging(index >= 0 && index < count)
            return unsafe elements + index
        }
    }

    deinit {
        unsafe elements.deinitialize(count: count)
        unsafe elements.deallocate()
    }
}

/// Ends the program if a condition is false, in debug builds only. Those of this module are optimised, and optimised code
/// leaves `assert` out.
@_transparent
func checkWhenDebugging(_ condition: Bool) {
    #if DEBUG
        precondition(condition)
    #endif
}

extension FixedArray where Element: BitwiseCopyable {
    /// Copies all elements into a plain value with as many.
    func copy<let length: Int>(into values: inout InlineArray<length, Element>) {
        checkWhenDebugging(count == length)
        for index in 0..<length { values[index] = unsafe elements[index] }
    }

    /// Replaces all elements.
    func restore<let length: Int>(_ values: InlineArray<length, Element>) {
        checkWhenDebugging(count == length)
        for index in 0..<length { unsafe elements[index] = values[index] }
    }
}
