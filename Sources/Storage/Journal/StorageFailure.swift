import Glibc
import SystemSupport

/// Why nothing can be stored.
public enum StorageFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system refused something.
    case file(FileError)
    /// Another daemon uses the directory.
    case inUse(path: String, processID: Int32?)
    /// The system starts no thread.
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
