import Music

/// The four level meters: the highest peak, falling 20 dB a second.
struct LevelMeters {
    /// dB that a meter falls each second.
    private static let fall = 20.0
    /// dBFS below which no row of a meter is lit: the lowest row's threshold on every track.
    private static let floor = -36.0
    /// dB from one threshold of the grid's meters to the next: those of six rows and those of four are multiples of it.
    private static let resolution = 3.0

    /// dBFS by track; -infinity for silence.
    private(set) var levels = [Double](repeating: -.infinity, count: Track.allCases.count)
    private var updatedAt: Duration = .zero

    /// Whether a row of any meter may be lit.
    var isDecaying: Bool { levels.contains { $0 >= Self.floor } }

    /// Adds new peaks in dBFS.
    ///
    /// - Returns: Whether the meters look different now.
    mutating func update(with peaks: [Double], at now: Duration) -> Bool {
        let fallen = (now - updatedAt).inSeconds * Self.fall
        updatedAt = now
        let before = visibleLevels
        for (track, peak) in peaks.enumerated() {
            let level = max(levels[track] - fallen, peak)
            levels[track] = level >= Self.floor ? level : -.infinity
        }
        return visibleLevels != before
    }

    /// The levels, as coarse as the grid shows them.
    private var visibleLevels: [Int] {
        levels.map { $0 >= Self.floor ? Int(($0 - Self.floor) / Self.resolution) : -1 }
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
