/// Makes JACK's 32-bit frame time, which wraps after a day at 48 kHz, 64 bits wide.
struct FrameClock {
    private var frame: Int64?

    /// The frame time of a cycle, given cycles less than 2^31 frames apart.
    @_noLocks @_noAllocation
    mutating func extend(_ frameTime: UInt32) -> Int64 {
        guard let last = frame else {
            frame = Int64(frameTime)
            return Int64(frameTime)
        }
        let step = Int32(bitPattern: frameTime &- UInt32(truncatingIfNeeded: last))
        let extended = last &+ Int64(step)
        frame = extended
        return extended
    }
}
