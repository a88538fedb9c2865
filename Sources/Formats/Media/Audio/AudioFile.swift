import CSndFile
import Files
import Glibc
import SystemSupport

/// An audio file that is written piece by piece and gets its name when complete; if discarded, it leaves nothing. After
/// ``appear()`` it has its name and can be read while it is being written.
///
/// WAV or FLAC by the path's extension. Equal samples give equal bytes: no dates are written. Not thread-safe.
public final class AudioFile {
    /// How a sample is stored.
    public enum SampleFormat: Sendable {
        /// 16-bit integers; samples beyond ±1 are clipped.
        case integer16
        /// 24-bit integers; samples beyond ±1 are clipped.
        case integer24
        /// 32-bit floating point; WAV only.
        case float32
    }

    public struct Layout: Equatable, Sendable {
        /// Frames per second.
        public var sampleRate: Int
        /// Samples per frame.
        public var channels: Int
        /// How a sample is stored.
        public var sampleFormat: SampleFormat

        /// Stereo, 24 bits at 48 kHz by default.
        public init(sampleRate: Int = 48_000, channels: Int = 2, sampleFormat: SampleFormat = .integer24) {
            self.sampleRate = sampleRate
            self.channels = channels
            self.sampleFormat = sampleFormat
        }
    }

    /// Frames written so far.
    public private(set) var frameCount = 0
    /// The most frames that the file can hold.
    public let maximumFrames: Int

    /// How its samples are stored.
    public let layout: Layout

    private let container: Container
    private let file: PendingFile
    private var encoder: OpaquePointer?
    /// Bytes of samples written since the last flush.
    private var unflushedBytes = 0
    private var hasAppeared = false

    /// Bytes of samples between two flushes.
    private static let flushedStretch = 8 << 20

    /// Begins a file that will be created at a path, or replace the one there.
    ///
    /// - Parameters:
    ///   - frames: The least number of frames to expect; more than the format allows are refused at once.
    ///   - allowsRF64: Whether a WAV file that is too long for 32 bits is an RF64 file (EBU Tech 3306).
    public init(
        path: String, layout: Layout = Layout(), expecting frames: Int = 0, allowsRF64: Bool = false
    ) throws(AudioFileError) {
        var container = try Container(path: path)
        if allowsRF64, container == .wav, frames > container.maximumFrames(layout) { container = .rf64 }
        var info = SF_INFO()
        info.samplerate = Int32(clamping: layout.sampleRate)
        info.channels = Int32(clamping: layout.channels)
        info.format = container.majorFormat | layout.sampleFormat.subformat
        guard sf_format_check(&info) != 0 else {
            throw .unsupported(reason: "\(path): a \(container) file cannot hold \(layout)")
        }
        self.layout = layout
        self.container = container
        maximumFrames = container.maximumFrames(layout)
        guard frames <= maximumFrames else { throw .tooLong(path: path, maximumFrames: maximumFrames) }
        StaleTemporaryFiles.sweep(directory(of: path))
        do {
            file = try PendingFile(at: path)
        } catch {
            throw .io(reason: error.description)
        }
        encoder = openSound(file.descriptor, SFM_WRITE, &info)
        guard encoder != nil else { throw failure() }
        sf_command(encoder, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    }

    deinit { close() }

    /// Whether a file of this path is a WAV file.
    public static func isWAV(_ path: String) -> Bool { (try? Container(path: path)) == .wav }

    /// Gives the file its name now, and keeps its header up to date from now on: whatever then happens to this process,
    /// the file can be read, with the samples written so far. FLAC lacks those that do not fill a block yet, some
    /// thousand frames at most.
    public func appear() throws(AudioFileError) {
        precondition(encoder != nil, "already finished")
        guard !hasAppeared else { return }
        try updateHeader()
        try AudioFile.io { () throws(FileError) in try file.appear() }
        hasAppeared = true
    }

    /// Appends frames of interleaved samples; 1.0 is full scale.
    public func write(interleaved samples: Span<Float>) throws(AudioFileError) {
        precondition(samples.count % layout.channels == 0, "\(samples.count) samples are not whole frames")
        precondition(encoder != nil, "already finished")
        let frames = samples.count / layout.channels
        guard frames <= maximumFrames - frameCount else {
            throw .tooLong(path: file.path, maximumFrames: maximumFrames)
        }
        guard encode(samples) == samples.count else { throw failure() }
        frameCount += frames
        if hasAppeared { try updateHeader() }
        try flushNowAndThen(samples.count * layout.sampleFormat.bytes)
    }

    /// Appends frames of interleaved samples; 1.0 is full scale.
    public func write(interleaved samples: [Float]) throws(AudioFileError) {
        try write(interleaved: samples.span)
    }

    /// Completes the file, flushes it to disk and moves it into place. Discards it on failure, unless it has appeared.
    public func finish() throws(AudioFileError) {
        try complete()
        try AudioFile.io { () throws(FileError) in try file.commit() }
    }

    /// Completes several files: all get their names, or none does; see `PendingFile.commit`.
    public static func finish(_ files: [AudioFile]) throws(AudioFileError) {
        for file in files { try file.complete() }
        try io { () throws(FileError) in try PendingFile.commit(files.map(\.file)) }
    }

    /// Completes the file without giving it its name.
    public func finishUnnamed() throws(AudioFileError) -> UnnamedFile {
        try complete()
        return try AudioFile.io { () throws(FileError) in try file.complete() }
    }

    /// Completes the file, passes its bytes to a sink and discards it: for streams, in which the length cannot be
    /// written into the header afterwards.
    ///
    /// - Parameter sink: Called with each next part of the file.
    public func finish(handingTo sink: ([UInt8]) throws -> Void) throws {
        try complete()
        defer { file.discard() }
        try file.forEachStretch(sink)
    }

    private func complete() throws(AudioFileError) {
        precondition(encoder != nil, "already finished")
        guard close() == 0, isWhole else {
            file.discard()
            throw .io(reason: "cannot complete \(file.path)")
        }
    }

    /// Whether the file says that it has all frames, and perhaps a part of a write that failed: libsndfile does not report
    /// if the last block of a FLAC file, which is encoded at the end, does not fit on the disk.
    private var isWhole: Bool {
        var info = SF_INFO()
        guard lseek(file.descriptor, 0, SEEK_SET) == 0, let sound = openSound(file.descriptor, SFM_READ, &info) else {
            return false
        }
        sf_close(sound)
        return frameCount <= info.frames && info.frames <= maximumFrames
    }

    private func updateHeader() throws(AudioFileError) {
        // For FLAC this writes the first header, without a length, and nothing later.
        sf_command(encoder, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        guard container != .flac || FLACHeader.write(length: frameCount, to: file.descriptor) else {
            throw .io(reason: FileError("write", file.path).description)
        }
    }

    /// Flushes now and then, so that flushing other files need not wait for all of this one.
    private func flushNowAndThen(_ bytes: Int) throws(AudioFileError) {
        unflushedBytes += bytes
        guard unflushedBytes >= AudioFile.flushedStretch else { return }
        unflushedBytes = 0
        try AudioFile.io { () throws(FileError) in try file.flush() }
    }

    private static func io<Result>(_ work: () throws(FileError) -> Result) throws(AudioFileError) -> Result {
        do {
            return try work()
        } catch {
            throw .io(reason: error.description)
        }
    }

    /// Passes samples to the encoder and returns how many it accepted. libsndfile clips floats differently for WAV and
    /// FLAC files of integers, so it gets integers.
    private func encode(_ samples: Span<Float>) -> Int {
        switch layout.sampleFormat {
        case .float32:
            return samples.withUnsafeBufferPointer {
                Int(sf_write_float(encoder, $0.baseAddress, sf_count_t($0.count)))
            }
        case .integer16, .integer24:
            let bits = 8 * layout.sampleFormat.bytes
            let integers = (0..<samples.count).map { AudioFile.leftAligned(samples[$0], bits: bits) }
            return Int(sf_write_int(encoder, integers, sf_count_t(integers.count)))
        }
    }

    /// The nearest integer with a number of bits, ties to even, left-aligned; 0 for NaN.
    ///
    /// Adding 1.5 * 2^52 leaves the integer in the lowest bits of a Double. `rounded()` would call the C library for
    /// each sample, because not every x86-64 processor can round.
    private static func leftAligned(_ sample: Float, bits: Int) -> Int32 {
        guard !sample.isNaN else { return 0 }
        let limit = Double(1 << (bits - 1))
        let integer = min(max(Double(sample) * limit, -limit), limit - 1) + 0x1.8p52
        return Int32(truncatingIfNeeded: integer.bitPattern) << (32 - bits)
    }

    @discardableResult
    private func close() -> Int32 {
        defer { encoder = nil }
        return encoder == nil ? 0 : sf_close(encoder)
    }

    private func failure() -> AudioFileError {
        .io(reason: "cannot write \(file.path): \(String(cString: sf_strerror(encoder)))")
    }
}

extension AudioFile.SampleFormat {
    fileprivate var subformat: Int32 {
        switch self {
        case .integer16: Int32(SF_FORMAT_PCM_16)
        case .integer24: Int32(SF_FORMAT_PCM_24)
        case .float32: Int32(SF_FORMAT_FLOAT)
        }
    }

    fileprivate var bytes: Int {
        switch self {
        case .integer16: 2
        case .integer24: 3
        case .float32: 4
        }
    }
}

/// The file formats.
private enum Container: CustomStringConvertible {
    case wav
    /// WAV with 64 bits for lengths.
    case rf64
    case flac

    init(path: String) throws(AudioFileError) {
        guard ExportKind.sound.allows(path) else { throw .unknownFormat(path: path) }
        self = path.lowercased().hasSuffix(".flac") ? .flac : .wav
    }

    var description: String { self == .flac ? "FLAC" : "WAV" }

    var majorFormat: Int32 {
        switch self {
        case .wav: Int32(SF_FORMAT_WAV)
        case .rf64: Int32(SF_FORMAT_RF64)
        case .flac: Int32(SF_FORMAT_FLAC)
        }
    }

    /// WAV counts bytes, including its header, in 32 bits; FLAC counts frames in 36.
    func maximumFrames(_ layout: AudioFile.Layout) -> Int {
        switch self {
        case .wav: (Int(UInt32.max) - 4096) / (layout.channels * layout.sampleFormat.bytes)
        case .rf64: 1 << 48
        case .flac: 1 << 36 - 1
        }
    }
}

extension AudioFile.Layout: CustomStringConvertible {
    /// `2 channels of 24-bit integers at 48000 Hz`
    public var description: String {
        let kind = sampleFormat == .float32 ? "32-bit floats" : "\(8 * sampleFormat.bytes)-bit integers"
        return "\(channels) channels of \(kind) at \(sampleRate) Hz"
    }
}

/// Opens a sound file with libsndfile, which gets its own descriptor.
///
/// libsndfile 1.2 closes the descriptor of a file that it refuses, even if asked not to. Closing it again could close
/// another thread's file that got the same number.
///
/// - Parameter mode: `SFM_READ` or `SFM_WRITE`.
func openSound(_ descriptor: Int32, _ mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
    sf_open_fd(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), Int32(mode), &info, Int32(SF_TRUE))
}
