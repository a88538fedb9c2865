/// When a track's samples sound: its parts use it to begin as new ones after a silence, whatever the periods and stretches
/// are. Beginnings are found to the frame, so that no part needs to look for them.
struct StripInput: BitwiseCopyable {
    /// The silent frames after which the input has ended: more than any stretch has.
    private let patience: Int64
    /// The newest frame that was not silent, before this stretch and with it.
    private var (before, newest) = (Int64.min / 2, Int64.min / 2)
    /// The stretch's first frame that is not silent.
    private var first = Int64.max
    /// Its offset in the stretch if the track wakes with it; else nil.
    private(set) var waking: Int?

    /// - Parameter seconds: How long the silence must be.
    init(after seconds: Double, sampleRate: Double) {
        patience = Int64(max(frames(seconds, sampleRate: sampleRate), 2 * Stretch.longest))
    }

    /// Forgets all sound.
    mutating func reset() { (before, newest, first, waking) = (.min / 2, .min / 2, .max, nil) }

    /// Whether the input had ended before a frame of this stretch, or after it.
    func hasEnded(by frame: Int64) -> Bool { frame - (frame <= first ? before : newest) > patience }

    /// Reads a stretch.
    mutating func read(_ stretch: Stretch) {
        (before, first, waking) = (newest, .max, nil)
        var offset = 0
        while offset < stretch.count, unsafe stretch.mid[offset] == 0 { offset += 1 }
        guard offset < stretch.count else { return }
        first = stretch.frame + Int64(offset)
        if hasEnded(by: first) { waking = offset }
        var last = stretch.count - 1
        while unsafe stretch.mid[last] == 0 { last -= 1 }
        newest = stretch.frame + Int64(last)
    }
}
