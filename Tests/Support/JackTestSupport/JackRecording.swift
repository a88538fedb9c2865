/// What a ``JackRecorder`` recorded.
public struct JackRecording: Sendable {
    /// Consecutive samples and where they belong in JACK's time.
    public struct Block: Sendable {
        /// JACK's frame time of the first sample.
        public var frame: UInt32
        /// The first sample's index in each channel.
        public var start: Int
        /// Frames.
        public var count: Int
    }

    /// Frames per second.
    public var sampleRate: Int
    /// The samples of each recorded port, in the order in which the ports were named.
    public var channels: [[Float]]
    /// The periods, in order.
    public var blocks: [Block]

    /// Whether JACK called for every frame in turn, so that an index gives the frame.
    public var isContinuous: Bool {
        zip(blocks, blocks.dropFirst()).allSatisfy { $0.frame &+ UInt32($0.count) == $1.frame }
    }

    /// JACK's frame time of a sample.
    public func frame(ofSample index: Int) -> UInt32 {
        // The last block that starts at or before the sample.
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].start <= index { low = middle + 1 } else { high = middle }
        }
        let block = blocks[low - 1]
        return block.frame &+ UInt32(index - block.start)
    }

    /// The first sample at or after an index that is louder than a threshold.
    ///
    /// - Parameters:
    ///   - channel: The port's place in the list that was recorded.
    ///   - start: The first index to look at.
    ///   - threshold: An absolute sample value.
    public func onset(channel: Int, from start: Int = 0, above threshold: Float = 0) -> Int? {
        channels[channel][start...].firstIndex { abs($0) > threshold }
    }

    /// The indices of all samples that end a silence of at least this many frames.
    public func onsetIndices(channel: Int, afterSilence silence: Int) -> [Int] {
        var quiet = silence
        var indices: [Int] = []
        for (index, sample) in channels[channel].enumerated() {
            if sample != 0, quiet >= silence { indices.append(index) }
            quiet = sample == 0 ? quiet + 1 : 0
        }
        return indices
    }

    /// JACK's frame times of all samples that end a silence of at least this many frames.
    public func onsets(channel: Int, afterSilence silence: Int) -> [UInt32] {
        onsetIndices(channel: channel, afterSilence: silence).map { frame(ofSample: $0) }
    }

    /// The highest absolute sample of a channel.
    public func peak(channel: Int) -> Float {
        channels[channel].reduce(0) { max($0, abs($1)) }
    }
}
