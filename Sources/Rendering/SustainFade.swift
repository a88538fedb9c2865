import Grid
import Music

/// How a sustained note fades: 0.8 on its first sustain step, falling in equal parts to 0.25 on the last.
enum SustainFade {
    /// The strength of a sustain cell.
    ///
    /// - Parameters:
    ///   - step: A visible step on which the note is a sustain cell.
    ///   - cells: Cells without headless ones.
    static func alpha(of track: Track, _ note: Int, at step: Int, in cells: Cells, length: Int) -> Alpha {
        guard let head = cells.head(of: track, note, at: step, length: length) else {
            preconditionFailure("a headless sustain cell is not shown")
        }
        let count = cells.sustainCount(after: head, of: track, note, length: length)
        return alpha(index: (step - head - 1 + length) % length, of: count)
    }

    private static func alpha(index: Int, of count: Int) -> Alpha {
        let parts = count - 1
        return parts == 0 ? .percent(80) : Alpha(80 * parts - 55 * index, of: 100 * parts)
    }
}
