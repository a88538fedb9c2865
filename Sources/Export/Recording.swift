import Engine
import Music
import OfflineAudio
import Storage

/// How a document is rendered to a sound file.
public struct RecordingOptions: Equatable, Sendable {
    /// Frames per second, 8000 to 192000.
    public var sampleRate = 48_000
    /// How the samples are stored.
    public var sampleFormat = AudioFile.SampleFormat.integer24
    /// How often the pattern is played, at least once.
    public var loops = 1
    /// The one track to record, mono, as at its port; nil for the stereo mix.
    public var track: Track?

    /// 48 kHz, 24 bits, once, the stereo mix.
    public init() {}
}

/// Renders a document into a sound file, offline: the same bytes each time.
///
/// The pattern is played the given number of times; then no more notes start, and what sounds rings out.
public struct Recording {
    /// Frames rendered between two reports of progress.
    private static let stretch = 8192
    /// Seconds that may follow the last loop, at most: a note of 32 steps lasts 24 s at 20 BPM, and what it leaves or a
    /// cymbal does is over in a few more.
    private static let longestTail = 30

    private let document: Document
    private let options: RecordingOptions

    /// A recording of a document; its mutes and solo count.
    public init(of document: Document, _ options: RecordingOptions) {
        self.document = document
        self.options = options
    }

    /// Frames until the last loop ends; what rings out after it is not counted.
    public var playedFrames: Int {
        let pattern = document.pattern
        let stepFrames = Double(options.sampleRate) * 60 / pattern.tempo.bpm / 4
        let frames = Double(options.loops) * Double(pattern.length) * stepFrames
        return Int(exactly: min(frames.rounded(), 0x1p53))!
    }

    /// Renders into a file, which appears under its name when all is written.
    ///
    /// - Parameters:
    ///   - path: Where to write; ``ExportKind/sound`` tells which names, ``PendingFile`` which files are allowed. The
    ///     extension `flac` makes a FLAC file, `wav` a WAV.
    ///   - progress: Called now and then with the share that is done, 0 to 1; what it throws ends the recording, and
    ///     no file appears.
    /// - Returns: Frames in the file.
    /// - Throws: `AudioFileError`; a recording that the format has no room for is refused before anything is written.
    ///   Also `UnplayableRate`.
    public func write(to path: String, progress: (Double) throws -> Void = { _ in }) throws -> Int {
        let file = try render(to: path, progress: progress)
        try file.finish()
        return file.frameCount
    }

    /// Renders a WAV file, and hands its bytes on when all is rendered, since its length comes first.
    ///
    /// - Parameters:
    ///   - directory: Where the file grows until then, without a name.
    ///   - progress: As above.
    ///   - sink: Takes the next bytes.
    public func stream(
        spoolingIn directory: String, progress: (Double) throws -> Void = { _ in }, to sink: ([UInt8]) throws -> Void
    ) throws {
        try render(to: "\(directory)/pixelboop-stream.wav", progress: progress).finish(handingTo: sink)
    }

    private func render(to path: String, progress: (Double) throws -> Void) throws -> AudioFile {
        let driver = try OfflineDriver(
            engine: Engine(score: Score(document)), sampleRate: Double(options.sampleRate))
        let layout = AudioFile.Layout(
            sampleRate: options.sampleRate, channels: options.track == nil ? 2 : 1,
            sampleFormat: options.sampleFormat)
        let end = playedFrames
        let file = try AudioFile(path: path, layout: layout, expecting: end + Self.longestTail * options.sampleRate)
        driver.schedule(.command(.play), at: driver.frame)
        while driver.frame < end {
            _ = try record(min(Self.stretch, end - Int(driver.frame)), of: driver, into: file)
            try progress(Double(driver.frame) / Double(end))
        }
        driver.schedule(.command(.finish), at: driver.frame)
        while try record(Self.stretch, of: driver, into: file) {
            try progress(1)
        }
        return file
    }

    /// - Returns: Whether anything sounds in those frames.
    private func record(_ frameCount: Int, of driver: OfflineDriver, into file: AudioFile) throws -> Bool {
        var isSounding = false
        try driver.render(frames: frameCount) { period in
            let samples = interleaved(period)
            // Found at once when there is any.
            isSounding = isSounding || samples.contains { $0 != 0 }
            try file.write(interleaved: samples)
        }
        return isSounding
    }

    private func interleaved(_ period: OfflinePeriod) -> [Float] {
        if let track = options.track { return Array(period[.track(track)]) }
        let (left, right) = (period[.mainLeft], period[.mainRight])
        return [Float](unsafeUninitializedCapacity: 2 * left.count) { samples, count in
            for frame in left.indices {
                samples[2 * frame] = left[frame]
                samples[2 * frame + 1] = right[frame]
            }
            count = 2 * left.count
        }
    }
}
