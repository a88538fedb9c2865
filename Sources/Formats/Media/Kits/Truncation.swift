/// How much of a sound file is missing at its end.
public enum Truncation: Equatable, Sendable, CustomStringConvertible {
    /// The file has fewer bytes of sound than it declares.
    case bytes(Int, of: Int)
    /// The file has fewer frames than it declares.
    case frames(Int, of: Int)

    /// nil for a file that is whole, or lacks only a part of its last frame.
    ///
    /// - Parameters:
    ///   - data: What the file declares, if that is known.
    ///   - frameSize: A frame's bytes; 1 if frames are compressed.
    ///   - frames: How many were read.
    ///   - promised: How many the decoder announced, 0 if it does not know.
    init?(_ data: SoundData?, frameSize: Int, frames: Int, promised: Int) {
        if let data {
            guard data.missing >= frameSize else { return nil }
            self = .bytes(data.present, of: data.promised)
        } else {
            guard frames < promised else { return nil }
            self = .frames(frames, of: promised)
        }
    }

    /// What is missing, in words.
    public var description: String {
        switch self {
        case .bytes(let count, let promised):
            "the file is truncated: it has \(count) of the \(promised) bytes of sound that it should have"
        case .frames(let count, let promised): "the file is truncated: it ends after \(count) of \(promised) frames"
        }
    }
}
