/// When a track's voices sound: its parts use it to begin as new ones after a silence, whatever the periods and stretches
/// are. Beginnings are found to the frame, so that no part needs to look for them.
struct StripInput: BitwiseCopyable {
    /// After so many silent frames the input has ended: longer than any stretch.
    private let patience: Int64
    /// The newest frame that was not silent.
    private var newest: Int64 = .min / 2
    /// The offset in the stretch of the frame with which the track wakes; nil for none.
    private(set) var waking: Int?

    init(sampleRate: Double) {
        patience = Int64(max(frames(0.005, sampleRate: sampleRate), 2 * Stretch.longest))
    }

    /// Forgets all sound.
    mutating func reset() { (newest, waking) = (.min / 2, nil) }

    /// Whether the input had ended before a frame.
    func hasEnded(by frame: Int64) -> Bool { frame - newest > patience }

    /// Reads a stretch of the voices' sum.
    mutating func read(_ stretch: Stretch) {
        waking = nil
        var first = 0
        while first < stretch.count, unsafe stretch.mid[first] == 0 { first += 1 }
        guard first < stretch.count else { return }
        if hasEnded(by: stretch.frame + Int64(first)) { waking = first }
        var last = stretch.count - 1
        while unsafe stretch.mid[last] == 0 { last -= 1 }
        newest = stretch.frame + Int64(last)
    }
}
