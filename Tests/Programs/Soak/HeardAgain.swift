/// Finds what was heard in the render of a take, and counts where the two differ.
///
/// Sound is interleaved, left and right. It is searched for as a whole: the render does not say when its frames were played.
struct HeardAgain: Equatable {
    /// Frames that were compared.
    private(set) var frames = 0
    /// Places where they differ. Frames that differ within ``grain`` of one another are one place: after a late period
    /// the next ones may be late, too.
    private(set) var differences = 0

    /// Frames between two places that differ, at least.
    static let grain = 4800
    /// Frames that a search compares first.
    private static let anchor = 64
    /// Frames from one such place to the next.
    private static let step = 12_000

    /// Nil if there is no place in the render where at least half of the frames are as they were heard.
    ///
    /// - Parameter tolerance: How far a sample may be from the rendered one; 0 for equal to the bit.
    init?(_ heard: [Float], in rendered: [Float], within tolerance: Float = 0) {
        let last = rendered.count / 2 - Self.anchor
        guard last >= 0 else { return nil }
        for start in stride(from: 0, through: heard.count / 2 - Self.anchor, by: Self.step) {
            let anchor = Array(heard[2 * start..<2 * (start + Self.anchor)])
            guard Self.isLively(anchor) else { continue }
            for place in Self.places(of: anchor, in: rendered, tolerance) {
                var equal = 0
                let comparison = Self(comparing: heard, in: rendered, shift: place - start, tolerance, &equal)
                guard 4 * equal >= heard.count else { continue }
                self = comparison
                return
            }
        }
        return nil
    }

    /// Whether there is anything in it that can be found.
    static func isSilent(_ heard: [Float]) -> Bool {
        !stride(from: 0, through: heard.count / 2 - anchor, by: step).contains {
            isLively(Array(heard[2 * $0..<2 * ($0 + anchor)]))
        }
    }

    /// Whether samples move so much that they are not found just anywhere.
    private static func isLively(_ samples: [Float]) -> Bool {
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        return (left.max() ?? 0) - (left.min() ?? 0) > 0.01
    }

    /// The frames of the render where an anchor fits.
    private static func places(of anchor: [Float], in rendered: [Float], _ tolerance: Float) -> [Int] {
        anchor.withUnsafeBufferPointer { anchor in
            rendered.withUnsafeBufferPointer { rendered in
                (0...(rendered.count - anchor.count) / 2).filter { place in
                    anchor.indices.allSatisfy { isEqual(anchor[$0], rendered[2 * place + $0], tolerance) }
                }
            }
        }
    }

    /// Compares at one place; what the render does not have is different.
    private init(comparing heard: [Float], in rendered: [Float], shift: Int, _ tolerance: Float, _ equal: inout Int) {
        var lastDifference = -Self.grain
        for frame in 0..<heard.count / 2 {
            let place = 2 * (frame + shift)
            if place >= 0, place + 1 < rendered.count, Self.isEqual(heard[2 * frame], rendered[place], tolerance),
                Self.isEqual(heard[2 * frame + 1], rendered[place + 1], tolerance)
            {
                equal += 1
            } else {
                if frame >= lastDifference + Self.grain { differences += 1 }
                lastDifference = frame
            }
        }
        frames = heard.count / 2
    }

    @inline(__always)
    private static func isEqual(_ one: Float, _ other: Float, _ tolerance: Float) -> Bool {
        tolerance == 0 ? one.bitPattern == other.bitPattern : abs(one - other) <= tolerance
    }
}
