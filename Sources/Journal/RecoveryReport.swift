import Glibc
import SystemSupport

/// What was recovered of the last session, and what was unusable.
public struct RecoveryReport: Equatable, Sendable {
    /// The number of the snapshot that the session was rebuilt from; nil if there was none and it started empty.
    public var snapshot: UInt64?
    /// Batches of changes that were replayed on top of it.
    public var batches = 0
    public var damages: [Damage] = []

    /// Whether there was no earlier session.
    public var isNew: Bool { snapshot == nil && batches == 0 && damages.isEmpty }
}

/// Part of a file that could not be used.
public struct Damage: Equatable, Sendable, CustomStringConvertible {
    /// The reason why.
    public enum Reason: Error, Equatable, Sendable {
        /// It ends within a record, as after a power cut or on a full disk.
        case torn
        /// The checksum does not match the content.
        case checksum
        /// It was written by another version of the program.
        case version(UInt32)
        /// It is intact, but makes no sense.
        case malformed
        /// The system cannot read it.
        case unreadable(StorageFailure)
        /// It continues a state that is itself lost.
        case unconnected
        /// It does not exist.
        case missing
        /// It is intact, but only a newer version of the program knows these parts; the rest was used.
        case unknown([String])
    }

    /// The file's name in the state directory.
    public var file: String
    /// The first byte that could not be used.
    public var offset: Int
    /// Bytes that could not be used.
    public var bytes: Int
    public var reason: Reason

    /// For the log: `session-7.journal: dropped 31 bytes at 1200: the last record is incomplete`.
    public var description: String {
        switch reason {
        case .torn: dropped("the last record is incomplete")
        case .checksum: dropped("the checksum is wrong")
        case .version(let version): dropped("version \(version) is not known")
        case .malformed: dropped("the content is invalid")
        // The system's message names the file.
        case .unreadable(let failure): failure.description
        case .unconnected: dropped("the journal that it continues is lost")
        case .missing: dropped("the file is gone")
        case .unknown(let names):
            "\(file): a newer version wrote it; not used, but set aside: \(names.joined(separator: ", "))"
        }
    }

    private func dropped(_ why: String) -> String { "\(file): dropped \(bytes) bytes at \(offset): \(why)" }
}

/// Why nothing can be stored.
public enum StorageFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file operation failed.
    case file(FileError)
    /// Another daemon uses the directory.
    case inUse(path: String, processID: Int32?)
    /// The system cannot start a thread.
    case thread(code: Int32)

    /// Whether it failed because something does not exist.
    var isAbsence: Bool {
        if case .file(let error) = self { error.code == ENOENT } else { false }
    }

    /// Whether it failed because the disk is full.
    var isLackOfSpace: Bool {
        if case .file(let error) = self { error.code == ENOSPC || error.code == EDQUOT } else { false }
    }

    /// In words, with the path.
    public var description: String {
        switch self {
        case .file(let error): error.description
        case .thread(let code): OrdinaryThread.Failure(code: code).description
        case .inUse(let path, let processID):
            "\(path) is in use by another pixelboopd" + (processID.map { " (process \($0))" } ?? "")
        }
    }
}
