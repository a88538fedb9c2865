import Glibc
import Media
import Wire

/// Joins blocks of audio on their way to standard output or into a file.
struct AudioCapture {
    /// Frames that did not arrive.
    struct Gap: Equatable {
        var seconds: Double
        /// Whether it is filled with silence: not if it is too long.
        var isFilled: Bool
    }

    /// The longest gap that is filled, in seconds.
    private static let longestGap = 60.0

    /// nil for standard output.
    private let path: String?
    private let seconds: Double?
    private var file: AudioFile?
    /// Whether there was a file at the path: it is replaced when there is sound.
    private var isReplacing = false
    private var rate: Int?
    /// The next expected frame and its time.
    private var next: (frame: Int64, usecs: UInt64)?
    private var writtenFrames = 0

    /// - Parameters:
    ///   - path: The file, nil for standard output.
    ///   - seconds: The length to end at, nil for never.
    init(path: String?, seconds: Double?) {
        self.path = path
        self.seconds = seconds
    }

    /// Whether nothing has been written.
    var isEmpty: Bool { writtenFrames == 0 }

    /// Whether the file is as it was, because nothing has been written.
    var leavesOldFile: Bool { isReplacing && isEmpty }

    /// Whether all that was asked for has been written.
    var isFull: Bool { writtenFrames >= limit }

    private var limit: Int { seconds.map { Int(($0 * Double(rate ?? 1)).rounded()) } ?? .max }

    /// Seconds written so far.
    var heard: Double { Double(writtenFrames) / Double(rate ?? 1) }

    /// Creates the file; one that is there already stays until there is sound.
    ///
    /// - Parameter rate: The expected sample rate.
    /// - Throws: The reason if it cannot be written.
    mutating func open(rate: Int?) throws {
        guard let path else { return try Output.check() }
        let file = try AudioFile(path: path, layout: .init(sampleRate: rate ?? 48_000, sampleFormat: .integer16))
        isReplacing = access(path, F_OK) == 0
        if !isReplacing { try file.appear() }
        self.file = file
    }

    /// The sample rate with the first block; nil later.
    func begins(with block: AudioEvent) -> Int? { rate == nil ? block.rate : nil }

    /// Writes a block, and silence for missing blocks before it.
    ///
    /// - Returns: Whether this was the last block.
    /// - Throws: When it cannot be written, or the sample rate has changed.
    mutating func append(_ block: AudioEvent, reportingGap: (Gap) -> Void) throws -> Bool {
        try begin(rate: block.rate)
        if let gap = gap(before: block) {
            reportingGap(gap)
            if gap.isFilled, try write(silence: Int((gap.seconds * Double(block.rate)).rounded())) { return true }
        }
        next = (
            block.frame + Int64(block.frameCount),
            block.usecs + UInt64(Double(block.frameCount) * 1e6 / Double(block.rate))
        )
        guard let pcm = block.pcm else { return try write(silence: block.frameCount) }
        return try write(pcm)
    }

    mutating func finish() throws {
        guard let file else { return }
        self.file = nil
        if !leavesOldFile { try file.finish() }
    }

    /// Completes the file with what arrived before an error, and throws the error again.
    mutating func finish(after error: any Error) throws -> Never {
        guard let path, file != nil, (try? finish()) != nil, !isEmpty, var failure = Failure(error) else { throw error }
        failure = Failure(failure.status, "\(failure.message); \(path) holds the \(Int(heard)) s before that")
        throw failure
    }

    private mutating func begin(rate: Int) throws {
        if let known = self.rate {
            guard rate == known else {
                throw Failure(.refused, "the sample rate changed from \(known) to \(rate) Hz")
            }
            return
        }
        self.rate = rate
        guard let path else { return }
        if file?.layout.sampleRate != rate {
            file = try AudioFile(path: path, layout: .init(sampleRate: rate, sampleFormat: .integer16))
        }
        try file?.appear()
    }

    /// The gap before a block. After a restart the server counts frames from 0 again; then the clock decides.
    private func gap(before block: AudioEvent) -> Gap? {
        guard let next, block.frame != next.frame else { return nil }
        var seconds = Double(block.frame - next.frame) / Double(block.rate)
        if seconds < 0 || seconds > Self.longestGap {
            seconds = block.usecs > next.usecs ? Double(block.usecs - next.usecs) / 1e6 : 0
        }
        return Gap(seconds: seconds, isFilled: seconds <= Self.longestGap)
    }

    /// - Returns: Whether the end is reached.
    private mutating func write(silence frames: Int) throws -> Bool {
        let stretch = 48_000
        var left = frames
        while left > 0 {
            if try write([UInt8](repeating: 0, count: 4 * min(left, stretch))) { return true }
            left -= stretch
        }
        return false
    }

    private mutating func write(_ pcm: [UInt8]) throws -> Bool {
        let frames = min(pcm.count / 4, limit - writtenFrames)
        let bytes = pcm.prefix(4 * frames)
        writtenFrames += frames
        if let file {
            let samples = stride(from: 0, to: bytes.count, by: 2).map { index in
                Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32768
            }
            try file.write(interleaved: samples)
        } else {
            try Output.write(Array(bytes), to: 1)
        }
        return isFull
    }
}
