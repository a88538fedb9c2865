import Grid
import Wire

/// Keeps a picture up to date, and notices when a diff does not fit it.
struct FrameTracker {
    enum Outcome: Equatable {
        /// The picture after the diff.
        case picture(KeyFrame)
        /// Diffs were missed: a key frame must be requested.
        case gap
        /// Nothing to do: a key frame is coming.
        case nothing
    }

    /// The picture, nil until the first key frame and between a gap and the next key frame.
    private(set) var picture: KeyFrame?

    mutating func replace(with keyFrame: KeyFrame) { picture = keyFrame }

    mutating func apply(_ update: FrameUpdate) -> Outcome {
        guard var next = picture else { return .nothing }
        guard update.base == next.sequence, next.frame.apply(update.changes) else {
            picture = nil
            return .gap
        }
        next.sequence = update.sequence
        picture = next
        return .picture(next)
    }
}
