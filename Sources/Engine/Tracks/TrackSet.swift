/// A set of tracks.
struct TrackSet: BitwiseCopyable {
    private var bits: UInt32 = 0

    /// No track.
    @_noLocks @_noAllocation
    init() {}

    /// The tracks for which it is true.
    @_noLocks @_noAllocation
    init(_ isMember: PerTrack<Bool>) {
        for track in 0..<trackCount where isMember[track] { insert(track) }
    }

    var isEmpty: Bool {
        @_noLocks @_noAllocation get { bits == 0 }
    }

    @_noLocks @_noAllocation
    func contains(_ track: Int) -> Bool { bits >> UInt32(truncatingIfNeeded: track) & 1 == 1 }

    @_noLocks @_noAllocation
    mutating func insert(_ track: Int) {
        bits |= 1 << UInt32(truncatingIfNeeded: track)
    }
}
