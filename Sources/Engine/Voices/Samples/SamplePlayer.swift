/// A sample from its start to its end.
struct SamplePlayer: BitwiseCopyable {
    private var sample: DrumSample?
    private var position = 0
    /// The kit that the sample is of.
    private(set) var generation = Int.max

    /// Whether there is anything left to play.
    var isLive: Bool { sample != nil }

    /// Plays a sample from its start.
    mutating func start(_ sample: DrumSample, generation: Int) {
        self.sample = sample
        self.generation = generation
        position = 0
    }

    /// Plays nothing.
    mutating func stop() {
        sample = nil
        generation = .max
    }

    /// Adds the next frames to the output, through what a drum has behind its sum.
    mutating func render(adding mix: UnsafeMutablePointer<Lanes>, count: Int, through output: inout DrumOutput) {
        guard let sample else { return }
        let length = min(count, sample.count - position)
        for index in 0..<length { unsafe mix[index].x += output.next(sample[position + index]) }
        position += length
        if position == sample.count { stop() }
    }
}
