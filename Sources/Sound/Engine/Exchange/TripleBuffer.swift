import Synchronization

/// Hands the newest value that one thread publishes to another thread; wait-free on both sides.
///
/// Writer and reader own a slot each; the third lies between them and changes hands by one atomic exchange.
struct TripleBuffer<Value: BitwiseCopyable>: ~Copyable {
    // Computed, because a generic type cannot have stored static properties.
    private static var slotMask: UInt8 { 0b011 }
    private static var fresh: UInt8 { 0b100 }

    private let slots: FixedArray<Value>
    private let between = Atomic<UInt8>(1)
    /// Touched by the writer alone; atomic only so that the struct needs no mutation.
    private let writers = Atomic<UInt8>(0)
    /// Touched by the reader alone.
    private let readers = Atomic<UInt8>(2)
    /// How many values have been published; touched by the writer alone.
    private let published = Atomic<UInt>(0)
    /// The number of the value in each slot.
    private let numbers = FixedArray(count: 3) { _ in UInt(0) }

    /// - Parameter filler: What the slots hold before they are written.
    init(_ filler: Value) {
        slots = FixedArray(count: 3) { _ in filler }
    }

    // MARK: On the thread that writes

    /// The slot to write; it belongs to the writer until ``publish()``.
    var draft: UnsafeMutablePointer<Value> { unsafe slots.elements + draftIndex }

    /// Which of the three slots that is, from 0.
    var draftIndex: Int { Int(writers.load(ordering: .relaxed)) }

    /// Publishes the draft, in place of a value that was not read yet.
    ///
    /// - Returns: Whether there was such a value; the reader will never see it.
    @discardableResult
    func publish() -> Bool {
        let mine = writers.load(ordering: .relaxed)
        let number = published.load(ordering: .relaxed) &+ 1
        published.store(number, ordering: .relaxed)
        numbers[Int(mine)] = number
        let previous = between.exchange(mine | Self.fresh, ordering: .sequentiallyConsistent)
        writers.store(previous & Self.slotMask, ordering: .relaxed)
        return previous & Self.fresh != 0
    }

    /// Publishes a value; returns the same as ``publish()``.
    @discardableResult
    func publish(_ value: Value) -> Bool {
        unsafe draft.pointee = value
        return publish()
    }

    /// The number of the value that was published last: they are numbered upward from 1; wraps around.
    var newestNumber: UInt { published.load(ordering: .relaxed) }

    // MARK: On the thread that reads

    /// Whether the newest value is unread.
    var hasNews: Bool { between.load(ordering: .sequentiallyConsistent) & Self.fresh != 0 }

    /// The value that was read last, at first the filler; valid until ``fetchNewest()`` returns another.
    var current: UnsafePointer<Value> { unsafe UnsafePointer(slots.elements + currentIndex) }

    /// Which of the three slots that is, from 0.
    var currentIndex: Int { Int(readers.load(ordering: .relaxed)) }

    /// The number of ``current``; 0 for the filler.
    var number: UInt { numbers[currentIndex] }

    /// The newest value if it is unread; it stays valid until the next call that returns one.
    func fetchNewest() -> UnsafePointer<Value>? {
        guard hasNews else { return nil }
        let mine = readers.load(ordering: .relaxed)
        let newest = between.exchange(mine, ordering: .acquiringAndReleasing) & Self.slotMask
        readers.store(newest, ordering: .relaxed)
        return unsafe UnsafePointer(slots.elements + Int(newest))
    }
}
