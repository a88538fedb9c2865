/// Which keys and controllers are bound to something else than notes and sound: one bit each, for all channels.
public struct BoundKeys: Sendable, BitwiseCopyable {
    private var notes = InlineArray<32, UInt64>(repeating: 0)
    private var controllers = InlineArray<32, UInt64>(repeating: 0)

    /// Nothing is bound.
    @_noLocks @_noAllocation
    public init() {}

    /// Binds a key of a channel, 0 to 15.
    public mutating func bind(note: UInt8, channel: UInt8) {
        let place = KeyLedger.Place(channel: channel, key: note).index
        notes[place / 64] |= 1 << UInt64(place % 64)
    }

    /// Binds a controller of a channel, 0 to 15.
    public mutating func bind(controller: UInt8, channel: UInt8) {
        let place = KeyLedger.Place(channel: channel, key: controller).index
        controllers[place / 64] |= 1 << UInt64(place % 64)
    }

    func hasNote(_ place: KeyLedger.Place) -> Bool {
        notes[place.index / 64] >> UInt64(truncatingIfNeeded: place.index % 64) & 1 == 1
    }

    func hasController(_ place: KeyLedger.Place) -> Bool {
        controllers[place.index / 64] >> UInt64(truncatingIfNeeded: place.index % 64) & 1 == 1
    }
}
