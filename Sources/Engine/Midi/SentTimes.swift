/// When each key of each channel was last pressed and let go at the MIDI output.
struct SentTimes: ~Copyable {
    private let presses = FixedArray<Int64>(count: KeyLedger.Place.count) { _ in .min / 2 }
    private let releases = FixedArray<Int64>(count: KeyLedger.Place.count) { _ in .min / 2 }

    init() {}

    @_noLocks @_noAllocation
    mutating func didPress(_ place: KeyLedger.Place, at frame: Int64) {
        unsafe presses.elements[place.index] = frame
    }

    @_noLocks @_noAllocation
    mutating func didRelease(_ place: KeyLedger.Place, at frame: Int64) {
        unsafe releases.elements[place.index] = frame
    }

    /// Whether a key was pressed since a frame.
    @_noLocks @_noAllocation
    func wasPressed(_ place: KeyLedger.Place, since frame: Int64) -> Bool {
        unsafe presses.elements[place.index] >= frame
    }

    /// Whether a key was let go since a frame.
    @_noLocks @_noAllocation
    func wasReleased(_ place: KeyLedger.Place, since frame: Int64) -> Bool {
        unsafe releases.elements[place.index] >= frame
    }
}
