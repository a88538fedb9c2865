import Music

/// The sequencer's own copy of a score's cells.
///
/// Two bits a note, 0 off, 1 normal, 2 accent, 3 sustain (`Music.Velocity`, which belongs to a module that promises nothing
/// to the process callback). In memory of its own, because an access to an inline array may copy all of it.
@safe
struct ScoreCells: ~Copyable {
    private let bits: UnsafeMutablePointer<UInt32>
    /// Steps that are played.
    var length: Int

    init(_ score: Score) {
        precondition(MemoryLayout<Score>.offset(of: \.cells) == 0, "a score begins with its cells")
        unsafe bits = .allocate(capacity: trackCount * stepCount)
        for index in 0..<trackCount * stepCount { unsafe (bits + index).initialize(to: score.cells[index]) }
        length = Int(score.parameters[.length])
    }

    deinit { unsafe bits.deallocate() }

    /// Copies a track's cells from among those of all tracks.
    @_noLocks @_noAllocation
    mutating func take(_ track: Int, of source: UnsafePointer<UInt32>) {
        let first = track * stepCount
        for index in first..<first + stepCount { unsafe bits[index] = source[index] }
    }

    /// The cells of a track on a step in which a note starts, the others off.
    @_noLocks @_noAllocation
    func heads(track: Int, step: Int) -> UInt32 {
        let cells = unsafe bits[track * stepCount + step]
        let isHead = (cells ^ (cells >> 1)) & 0x0055_5555
        return cells & (isHead | isHead << 1)
    }

    /// Whether a note starts on a step that is played.
    @_noLocks @_noAllocation
    func isHead(track: Int, note: Int, step: Int) -> Bool {
        let cell = cell(track: track, note: note, step: step)
        return step < length && (cell == 1 || cell == 2)
    }

    /// How many sustain cells follow a head without a gap, cyclically within the length.
    @_noLocks @_noAllocation
    func sustainCount(track: Int, note: Int, head: Int) -> Int {
        var count = 0
        var step = head
        while count < length - 1 {
            step = step + 1 == length ? 0 : step + 1
            guard cell(track: track, note: note, step: step) == 3 else { break }
            count += 1
        }
        return count
    }

    @_noLocks @_noAllocation
    private func cell(track: Int, note: Int, step: Int) -> UInt32 {
        unsafe bits[track * stepCount + step] >> UInt32(truncatingIfNeeded: 2 * note) & 3
    }
}
