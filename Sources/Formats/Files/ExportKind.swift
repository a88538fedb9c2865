import Glibc
import SystemSupport

/// The kinds of exported files, and their file name extensions.
public enum ExportKind: CaseIterable, Sendable {
    case midi
    case sound
    case pattern
    case picture

    /// The extensions that such a file may have, in upper or lower case.
    public var endings: [String] {
        switch self {
        case .midi: [".mid", ".midi"]
        case .sound: [".wav", ".flac"]
        case .pattern: [".json"]
        case .picture: [".png"]
        }
    }

    /// `a name that ends in .wav or .flac`
    public var expectation: String { "a name that ends in " + endings.joined(separator: " or ") }

    /// Whether a path has one of this kind's extensions.
    public func allows(_ path: String) -> Bool {
        let name = path.lowercased()
        return endings.contains { name.hasSuffix($0) }
    }

    /// Writes a file of this kind, whole or not at all.
    ///
    /// - Throws: ``FileError``, as ``PendingFile`` does or for an extension that is not of this kind.
    public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try check(path)
        try AtomicFile.write(bytes, to: path)
    }

    /// Refuses a path without one of this kind's extensions.
    func check(_ path: String) throws(FileError) {
        guard allows(path) else {
            throw FileError("write", path, code: EINVAL, objection: "expected \(expectation)")
        }
    }
}
