/// The keys that are down at the MIDI output: for each key of each channel the note that owns it.
///
/// Note-offs are looked up here and not computed again, so that every pressed key is released, whatever has changed in
/// between.
struct KeyLedger: ~Copyable {
    /// A key of a channel: the channel, 0 to 15, in the upper bits, the key in the lower seven.
    struct LedgerPlace: BitwiseCopyable {
        let index: Int

        /// A key, 0 to 127, of a channel, 0 to 15.
        init(channel: UInt8, key: UInt8) { index = Int(channel & 0xf) << 7 | Int(key & 0x7f) }

        fileprivate init(index: Int) { self.index = index }

        var channel: UInt8 { UInt8(truncatingIfNeeded: index >> 7) }

        var key: UInt8 { UInt8(truncatingIfNeeded: index & 0x7f) }

        /// The number of keys on all channels.
        static var count: Int {
            16 * 128
        }
    }

    /// The note that owns each key, -1 for none.
    private let owners = FixedArray<Int8>(count: LedgerPlace.count) { _ in -1 }
    /// The key that each note owns, -1 for none.
    private let places = FixedArray<Int16>(count: trackCount * noteCount) { _ in -1 }
    /// How many keys are down.
    private(set) var count = 0

    /// The key that a note owns, nil when it owns none.
    func place(of note: Int) -> LedgerPlace? {
        let index = Int(places[note])
        return index >= 0 ? LedgerPlace(index: index) : nil
    }

    /// The note that owns a key, nil when it is up.
    func owner(of place: LedgerPlace) -> Int? {
        let note = Int(owners[place.index])
        return note >= 0 ? note : nil
    }

    /// Makes a note that owns no key the owner of one that is up.
    mutating func press(_ place: LedgerPlace, by note: Int) {
        owners[place.index] = Int8(truncatingIfNeeded: note)
        places[note] = Int16(truncatingIfNeeded: place.index)
        count += 1
    }

    /// Releases the key that a note owns, if there is one.
    mutating func release(_ note: Int) {
        guard let place = place(of: note) else { return }
        owners[place.index] = -1
        places[note] = -1
        count -= 1
    }
}

/// Some keys of all channels.
struct KeySet: BitwiseCopyable {
    private var bits = InlineArray<32, UInt64>(repeating: 0)
    /// No key is in it.
    private(set) var isEmpty = true

    mutating func insert(_ place: KeyLedger.LedgerPlace) {
        bits[place.index / 64] |= 1 << UInt64(truncatingIfNeeded: place.index % 64)
        isEmpty = false
    }

    mutating func insert(_ other: KeySet) {
        if other.isEmpty { return }
        for index in 0..<32 { bits[index] |= other.bits[index] }
        isEmpty = false
    }

    /// Removes a key and returns it; nil if there is none.
    mutating func removeFirst() -> KeyLedger.LedgerPlace? {
        if isEmpty { return nil }
        for index in 0..<32 where bits[index] != 0 {
            let place = index * 64 + bits[index].trailingZeroBitCount
            bits[index] &= bits[index] - 1
            return KeyLedger.LedgerPlace(index: place)
        }
        isEmpty = true
        return nil
    }
}

/// The keys and controllers that are bound, and so do not play: one bit each, for all channels.
public struct BoundKeys: Sendable, BitwiseCopyable {
    private var notes = InlineArray<32, UInt64>(repeating: 0)
    private var controllers = InlineArray<32, UInt64>(repeating: 0)

    /// Nothing is bound.
    @_noLocks @_noAllocation
    public init() {}

    /// How many words of bits there are.
    public static let wordCount = 64

    /// The bits, those of keys before those of controllers.
    public subscript(word index: Int) -> UInt64 {
        get { index < 32 ? notes[index] : controllers[index - 32] }
        set { if index < 32 { notes[index] = newValue } else { controllers[index - 32] = newValue } }
    }

    /// Binds a key of a channel, 0 to 15.
    public mutating func bind(note: UInt8, channel: UInt8) {
        let place = KeyLedger.LedgerPlace(channel: channel, key: note).index
        notes[place / 64] |= 1 << UInt64(place % 64)
    }

    /// Binds a controller of a channel, 0 to 15.
    public mutating func bind(controller: UInt8, channel: UInt8) {
        let place = KeyLedger.LedgerPlace(channel: channel, key: controller).index
        controllers[place / 64] |= 1 << UInt64(place % 64)
    }

    func hasNote(_ place: KeyLedger.LedgerPlace) -> Bool {
        notes[place.index / 64] >> UInt64(truncatingIfNeeded: place.index % 64) & 1 == 1
    }

    func hasController(_ place: KeyLedger.LedgerPlace) -> Bool {
        controllers[place.index / 64] >> UInt64(truncatingIfNeeded: place.index % 64) & 1 == 1
    }
}
