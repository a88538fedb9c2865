import Grid
import Wire

/// Keeps a picture up to date, and notices when a diff does not fit it.
struct FrameTracker {
    enum Outcome: Equatable {
        /// The picture after the diff.
        case picture(KeyFrame)
        /// Diffs are missing: a key frame must be asked for.
        case gap
        /// Nothing to do: a key frame is on its way.
        case nothing
    }

    /// The picture, nil until the first key frame and from a gap to the next.
    private(set) var picture: KeyFrame?

    /// A key frame came.
    mutating func replace(with keyFrame: KeyFrame) { picture = keyFrame }

    /// A diff came.
    mutating func apply(_ update: FrameUpdate) -> Outcome {
        guard var next = picture else { return .nothing }
        guard update.base == next.sequence, next.frame.apply(update.diff) else {
            picture = nil
            return .gap
        }
        next.sequence = update.sequence
        picture = next
        return .picture(next)
    }
}
