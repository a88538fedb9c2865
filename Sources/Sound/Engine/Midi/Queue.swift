/// A first-in, first-out queue in its own memory.
struct Queue<Element: BitwiseCopyable>: ~Copyable {
    private let elements: FixedArray<Element>
    private let mask: Int
    private var start = 0
    private(set) var count = 0

    /// An empty queue with 2^`capacityBits` places.
    ///
    /// - Parameter filler: What the places hold before they are filled.
    init(capacityBits: Int, _ filler: Element) {
        mask = 1 << capacityBits - 1
        elements = FixedArray(count: 1 << capacityBits) { _ in filler }
    }

    var isEmpty: Bool { count == 0 }

    var isFull: Bool { count > mask }

    /// The oldest element; nil if the queue is empty.
    var first: Element? { count > 0 ? elements[start] : nil }

    /// The newest element; nil if the queue is empty.
    var last: Element? { count > 0 ? elements[(start + count - 1) & mask] : nil }

    /// Adds an element; there must be room.
    mutating func append(_ element: Element) {
        elements[(start + count) & mask] = element
        count += 1
    }

    /// Removes and returns the oldest element; nil if the queue is empty.
    mutating func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            start = (start + 1) & mask
            count -= 1
        }
        return elements[start]
    }

    /// Changes each element.
    mutating func update(_ change: (inout Element) -> Void) {
        for index in 0..<count { change(&elements[(start + index) & mask]) }
    }

    mutating func removeAll() { count = 0 }
}

extension Queue {
    /// An element, from 0 for the oldest.
    func element(_ index: Int) -> Element { elements[(start + index) & mask] }
}
