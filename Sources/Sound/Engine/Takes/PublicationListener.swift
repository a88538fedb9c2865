import Music

/// Is told everything that is published to an engine and that takes refer to, with its number.
public protocol PublicationListener: Sendable {
    /// A score was published that was made of a source.
    ///
    /// - Parameter name: The pattern's.
    func published(_ source: ScoreSource, named name: String, number: UInt)
    /// A timeline was published.
    func published(_ timeline: TimelineNews, number: UInt)
    /// A kit of samples was published; nil for none, and for one that cannot be found again.
    func published(_ kit: KitFingerprint?, number: Int)
    /// The control thread has polled the engine, which may have recorded something.
    func polled()
}

/// By what the kit of samples that a take played is found again.
public struct KitFingerprint: Equatable, Sendable {
    /// One drum's samples.
    public struct DrumPrint: Equatable, Sendable {
        /// 0 to 11.
        public var drum: Int
        /// A hash of the file's bytes, by which it is found under any name.
        public var file: UInt64
        /// A hash of the samples at the kit's rate.
        public var samples: UInt64
        /// Where the drum is, from -1, left, to 1.
        public var place: Float

        public init(drum: Int, file: UInt64, samples: UInt64, place: Float = 0) {
            (self.drum, self.file, self.samples, self.place) = (drum, file, samples, place)
        }
    }

    /// The folder's name.
    public var name: String
    /// Frames per second; an engine at another rate plays none of the samples.
    public var sampleRate: Int
    /// The drums that have samples.
    public var drums: [DrumPrint]

    public init(name: String, sampleRate: Int, drums: [DrumPrint]) {
        (self.name, self.sampleRate, self.drums) = (name, sampleRate, drums)
    }
}
