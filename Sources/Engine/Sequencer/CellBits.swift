// Cells as the score packs them: two bits a note, 0 off, 1 normal, 2 accent, 3 sustain (`Music.Velocity`, which belongs to
// a module that promises nothing to the process callback).

extension Score {
    /// The twelve cells of a track on a step.
    @_noLocks @_noAllocation
    func cells(track: Int, step: Int) -> UInt32 { cells[track * 32 + step] }

    /// One cell.
    @_noLocks @_noAllocation
    func cell(track: Int, note: Int, step: Int) -> UInt32 {
        cells(track: track, step: step) >> UInt32(truncatingIfNeeded: 2 * note) & 3
    }

    /// Whether a note starts on a step that is played.
    @_noLocks @_noAllocation
    func isHead(track: Int, note: Int, step: Int) -> Bool {
        let cell = cell(track: track, note: note, step: step)
        return step < Int(length) && (cell == 1 || cell == 2)
    }

    /// How many sustain cells follow a head without a gap, cyclically within the length.
    @_noLocks @_noAllocation
    func sustainCount(track: Int, note: Int, head: Int) -> Int {
        var count = 0
        var step = head
        while count < Int(length) - 1 {
            step = step + 1 == Int(length) ? 0 : step + 1
            guard cell(track: track, note: note, step: step) == 3 else { break }
            count += 1
        }
        return count
    }
}

/// Of packed cells those in which a note starts.
@_noLocks @_noAllocation
func heads(of cells: UInt32) -> UInt32 {
    let isHead = (cells ^ (cells >> 1)) & 0x0055_5555
    return cells & (isHead | isHead << 1)
}
