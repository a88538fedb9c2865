/// What left the main ports in a fiftieth of a second.
public struct AudioBlock: Sendable {
    /// Blocks in a second; where the sample rate is no multiple of that, a few more.
    public static var rate: Int {
        @_noLocks @_noAllocation @_transparent get { 50 }
    }

    /// The driver's count of the first frame.
    public var frame: Int64
    /// JACK's time of the first frame in µs.
    public var usecs: UInt64
    /// Frames per second.
    public var sampleRate: Int
    /// Left and right by turns.
    public var samples: [Float]

    /// A block.
    public init(frame: Int64, usecs: UInt64, sampleRate: Int, samples: [Float]) {
        self.frame = frame
        self.usecs = usecs
        self.sampleRate = sampleRate
        self.samples = samples
    }
}
