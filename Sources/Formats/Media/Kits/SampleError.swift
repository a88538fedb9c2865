/// Why a file cannot be used as a sample.
public enum SampleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file operation failed; the system's reason.
    case io(reason: String)
    /// Not a regular file.
    case notAFile
    /// Not a readable format; the decoder's reason.
    case unreadable(reason: String)
    case channels(Int)
    case sampleRate(Int)
    case empty
    /// Longer than ``SampleFile/longest``.
    case tooLong(seconds: Double)
    /// This frame holds a sample that is NaN or far beyond full scale.
    case notASample(frame: Int)
    /// There is no more room in the kit.
    case noRoom
    /// No drum has this name.
    case unknownDrum
    /// Another file is already used for the drum.
    case alreadyThere(file: String)
    /// What is wrong in a `kit.json`, and what is allowed.
    case places(reason: String)

    /// The error in words.
    public var description: String {
        switch self {
        case .io(let reason): reason
        case .notAFile: "expected a file"
        case .unreadable(let reason): "expected a sound file: \(reason)"
        case .channels(let count): "expected one or two channels, got \(count)"
        case .sampleRate(let rate):
            "expected \(SampleFile.rates.lowerBound) to \(SampleFile.rates.upperBound) Hz, got \(rate)"
        case .empty: "there is no sound in it"
        case .tooLong(let seconds): "expected at most \(SampleFile.longest) s, got \(tenths(seconds))"
        case .notASample(let frame): "frame \(frame) holds an invalid sample"
        case .noRoom: "it does not fit into the \(KitLibrary.largestKit >> 20) MiB of a kit"
        case .unknownDrum: "no drum has this name; use one of \(KitLibrary.drumNames.joined(separator: ", "))"
        case .alreadyThere(let file): "\(file) is used for this drum"
        case .places(let reason): reason
        }
    }

    private func tenths(_ seconds: Double) -> String {
        let tenths = Int((10 * min(seconds, 1e9)).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
