/// A set of tracks.
struct TrackSet: BitwiseCopyable {
    private var bits: UInt32 = 0

    /// No track.
    init() {}

    /// The tracks for which it is true.
    init(_ isMember: PerTrack<Bool>) {
        for track in 0..<trackCount where isMember[track] { insert(track) }
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ track: Int) -> Bool { bits >> UInt32(truncatingIfNeeded: track) & 1 == 1 }

    mutating func insert(_ track: Int) {
        bits |= 1 << UInt32(truncatingIfNeeded: track)
    }
}
