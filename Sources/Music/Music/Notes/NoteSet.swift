/// A set of a track's notes (0 to 11), one bit each. Iterates from low to high.
public struct NoteSet: Hashable, Sendable, BitwiseCopyable, Sequence, ExpressibleByArrayLiteral {
    /// Bit n is set when note n is in the set; bits 12 to 15 are 0.
    public private(set) var bits: UInt16

    /// The set of the notes whose bits are set; bits above 11 are ignored.
    @_noLocks @_noAllocation
    public init(bits: UInt16 = 0) {
        self.bits = bits & (1 << UInt16(PerNote<Bool>.count) &- 1)
    }

    /// The set of the given notes, each 0 to 11.
    public init(_ notes: some Sequence<Int>) {
        self.init()
        for note in notes { insert(note) }
    }

    /// The set of the given notes, each 0 to 11.
    public init(arrayLiteral notes: Int...) {
        self.init(notes)
    }

    public static let all = NoteSet(bits: .max)

    public var isEmpty: Bool { bits == 0 }

    public var count: Int { bits.nonzeroBitCount }

    /// The lowest note, nil when the set is empty.
    public var lowest: Int? { isEmpty ? nil : bits.trailingZeroBitCount }

    public func contains(_ note: Int) -> Bool { bits & (1 << UInt16(note)) != 0 }

    /// Puts a note, 0 to 11, into the set.
    public mutating func insert(_ note: Int) {
        precondition((0..<Track.noteCount).contains(note), "note \(note) outside 0...11")
        bits |= 1 << UInt16(note)
    }

    public func intersection(_ other: NoteSet) -> NoteSet { NoteSet(bits: bits & other.bits) }

    public func union(_ other: NoteSet) -> NoteSet { NoteSet(bits: bits | other.bits) }

    public func subtracting(_ other: NoteSet) -> NoteSet { NoteSet(bits: bits & ~other.bits) }

    /// Walks the notes from low to high.
    public func makeIterator() -> Iterator { Iterator(rest: bits) }

    /// Walks the notes of a set from low to high.
    public struct Iterator: IteratorProtocol {
        fileprivate var rest: UInt16

        /// The next higher note.
        public mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest - 1 }
            return rest.trailingZeroBitCount
        }
    }
}
