import Files

/// Why audio could not be written.
public enum AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path's extension is unknown.
    case unknownFormat(path: String)
    /// The format does not support this kind of sample, sample rate or number of channels.
    case unsupported(reason: String)
    /// More frames than the format can count; use another format or write less.
    case tooLong(path: String, maximumFrames: Int)
    /// The system or the encoder failed; its reason.
    case io(reason: String)

    /// The error in words.
    public var description: String {
        switch self {
        case .unknownFormat(let path): "\(path): expected \(ExportKind.sound.expectation)"
        case .unsupported(let reason), .io(let reason): reason
        case .tooLong(let path, let maximumFrames):
            "\(path): expected at most \(maximumFrames) frames, which is all that fits into the file"
        }
    }
}
