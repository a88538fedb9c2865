import CSndFile
import Glibc
import SystemSupport

/// A sound file of any origin, so its header is not trusted.
struct SampleFile {
    /// Maximum length of a sample in seconds.
    static let longest = 10
    /// The sample rates in Hz that a file may have.
    static let rates = 4000...768_000
    /// Samples beyond this, 24 dB above full scale, are refused.
    private static let loudest: Float = 16
    /// Frames read at once.
    private static let stretch = 8192

    /// Frames per second.
    let sampleRate: Int
    /// The mean of the channels.
    let samples: [Float]
    /// Set if the file ends before it should; what is there is in ``samples``.
    let truncation: Truncation?
    /// A hash of the file's bytes; nil if nobody asked for it.
    private(set) var hash: UInt64?

    /// Reads a file.
    ///
    /// - Parameter isHashed: Whether its ``hash`` is needed.
    init(path: String, isHashed: Bool = true) throws(SampleError) {
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .io(reason: FileError("open", path).reason) }
        defer { close(descriptor) }
        try self.init(descriptor: descriptor)
        if isHashed { hash = ContentHash.of(descriptor: descriptor) }
    }

    /// Reads an open file from its current position, and leaves it open.
    init(descriptor: Int32) throws(SampleError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .io(reason: FileError("read", "").reason) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        let decoder = try SoundDecoder(descriptor, fileSize: status.st_size)
        let info = decoder.info
        sampleRate = Int(info.samplerate)
        let channels = Int(info.channels)
        guard (1...2).contains(channels) else { throw .channels(channels) }
        guard SampleFile.rates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
        samples = try SampleFile.read(decoder, channels: channels, limit: SampleFile.longest * sampleRate)
        guard !samples.isEmpty else { throw .empty }
        let promised = decoder.promisedFrames
        guard samples.count <= SampleFile.longest * sampleRate else {
            throw .tooLong(seconds: Double(max(promised, samples.count)) / Double(sampleRate))
        }
        truncation = Truncation(
            SoundData(descriptor: descriptor, fileSize: status.st_size), frameSize: decoder.frameSize,
            frames: samples.count, promised: promised)
    }

    /// Reads to the end of the file, or until the frames exceed a limit.
    private static func read(_ decoder: SoundDecoder, channels: Int, limit: Int) throws(SampleError) -> [Float] {
        var samples: [Float] = []
        var stretch = [Float](repeating: 0, count: SampleFile.stretch * channels)
        while samples.count <= limit {
            let count = decoder.read(&stretch, frames: SampleFile.stretch)
            guard count > 0 else { break }
            for frame in 0..<min(count, SampleFile.stretch) {
                let sample =
                    channels == 1 ? stretch[frame] : 0.5 * stretch[2 * frame] + 0.5 * stretch[2 * frame + 1]
                guard abs(sample) <= loudest else { throw .notASample(frame: samples.count) }
                samples.append(sample)
            }
        }
        return samples
    }
}
