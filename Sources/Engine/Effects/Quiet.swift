/// Watches how long an effect has been quiet, to the frame: when all that is in it is below -96 dBFS it may rest.
struct Quiet: BitwiseCopyable {
    private var frames = 0
    private let enough: Int

    /// - Parameter frames: How long a sound can stay inside without being heard, in frames.
    init(after frames: Int) {
        enough = frames
        self.frames = frames
    }

    /// Whether the effect may rest.
    var isReached: Bool { frames >= enough }

    /// Notes the loudest of what went in and came out during a frame.
    @_transparent
    mutating func hear(_ level: Float) {
        frames = level < 1.5e-5 ? frames + 1 : 0
    }
}
