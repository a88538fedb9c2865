import Glibc
import SystemSupport

/// The kinds of exported files, and the endings of their names.
public enum ExportKind: CaseIterable, Sendable {
    case midi
    case sound
    case pattern
    case picture

    /// The endings that a name of such a file may have, in either case.
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

    /// Whether a path's ending is one of this kind's.
    public func allows(_ path: String) -> Bool {
        let name = path.lowercased()
        return endings.contains { name.hasSuffix($0) }
    }

    /// Writes a file of this kind, whole or not at all.
    ///
    /// - Throws: ``FileError``, with ``PendingFile``'s reasons or for an ending that is not of this kind.
    public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try check(path)
        try AtomicFile.write(bytes, to: path)
    }

    /// Refuses a path whose ending is not one of this kind's.
    func check(_ path: String) throws(FileError) {
        guard allows(path) else {
            throw FileError("write", path, code: EINVAL, objection: "expected \(expectation)")
        }
    }
}
