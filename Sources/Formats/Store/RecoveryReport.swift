import Glibc
import SQLite
import SystemSupport

/// What was restored of the last session, and what could not be used.
public struct RecoveryReport: Equatable, Sendable {
    /// Where the session came from.
    public enum Source: Equatable, Sendable {
        /// There was no earlier session.
        case new
        /// The database, beginning with the snapshot of this number.
        case database(snapshot: Int64)
        /// The copy of this name, because the database has no whole snapshot.
        case copy(String)
        /// Nothing, because neither the database nor a copy is readable.
        case lost
        /// The disk has not answered yet, or cannot be read yet.
        case unknown
    }

    public var source = Source.new
    /// Batches of changes that were replayed on top of it.
    public var changes = 0
    public var damages: [Damage] = []
    /// Whether the file system has no locks, so that another daemon would not be noticed.
    public var hasNoLocks = false

    public init(source: Source = .new) { self.source = source }

    /// Whether there was no earlier session.
    public var isNew: Bool { source == .new }

    /// What became of a damaged session, in words; nil if nothing was damaged.
    public var loss: String? {
        guard let damage = damages.first else { return nil }
        return switch source {
        case .database: "\(damage); restored up to there, and set aside"
        case .copy(let name): "\(damage); set aside, and \(name) loaded"
        case .new, .lost, .unknown: "\(damage); set aside, and a new session begun"
        }
    }
}

/// Part of a session that cannot be used.
public struct Damage: Equatable, Sendable, CustomStringConvertible {
    /// The reason why.
    public enum Reason: Error, Equatable, Sendable {
        /// SQLite's reason in words.
        case database(String)
        /// The snapshot of this number is not whole.
        case snapshot(Int64)
        /// The change of this number is not whole.
        case change(Int64)
        /// Changes of these numbers are missing.
        case gap(Range<Int64>)
        /// There is no snapshot.
        case empty
        /// There is a log, but no database that it continues.
        case logOnly
        /// A newer version of the program wrote it.
        case version(Int64)
        /// The system cannot read it.
        case unreadable(StorageFailure)
    }

    /// The file's name in the state directory.
    public var file: String
    public var reason: Reason

    /// For the log: `session.db is damaged: change 17 is not whole`.
    public var description: String {
        switch reason {
        case .database(let reason): "\(file) is damaged: \(reason)"
        case .snapshot(let number): "\(file) is damaged: snapshot \(number) is not whole"
        case .change(let number): "\(file) is damaged: change \(number) is not whole"
        case .gap(let numbers) where numbers.count == 1: "\(file) is damaged: change \(numbers.lowerBound) is missing"
        case .gap(let numbers):
            "\(file) is damaged: changes \(numbers.lowerBound) to \(numbers.upperBound - 1) are missing"
        case .empty: "\(file) is damaged: it has no snapshot"
        case .logOnly: "\(file) is gone, but not its log"
        case .version(let version): "\(file) was written by a newer version (format \(version))"
        // The system's message names the file.
        case .unreadable(let failure): failure.description
        }
    }
}

/// Why nothing can be stored.
public enum StorageFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file operation failed.
    case file(FileError)
    /// SQLite refuses, for a reason of its own.
    case database(path: String, SQLiteError)
    /// Another daemon uses the directory.
    case inUse(path: String, processID: Int32?)
    /// The system cannot start a thread.
    case thread(code: Int32)
    /// The disk does not answer.
    case noAnswer(path: String)

    /// A failed call of SQLite; a failed call of the system if it was one.
    init(_ error: SQLiteError, _ path: String) {
        if error.kind == .full {
            self = .file(FileError("write", path, code: ENOSPC))
        } else if error.systemCode != 0 {
            self = .file(FileError(error.action, path, code: error.systemCode))
        } else {
            self = .database(path: path, error)
        }
    }

    /// Whether it failed because the disk is full, and nothing else is wrong.
    var isLackOfSpace: Bool {
        // A flush that failed for lack of space has lost what it should have written.
        if case .file(let error) = self {
            error.action == "write" && [ENOSPC, EDQUOT].contains(error.code)
        } else {
            false
        }
    }

    /// Whether the database is not one, or has lost its structure.
    var isDamage: Bool {
        if case .database(_, let error) = self { error.kind == .damaged } else { false }
    }

    /// Whether the system could not read a file.
    var isOfReading: Bool { if case .file(let error) = self { error.action == "read" } else { false } }

    /// In words, with the path.
    public var description: String {
        switch self {
        case .file(let error): error.description
        case .database(let path, let error): "cannot use \(path): \(error)"
        case .thread(let code): OrdinaryThread.Failure(code: code).description
        case .inUse(let path, let processID):
            "\(path) is in use by another pixelboopd" + (processID.map { " (process \($0))" } ?? "")
        case .noAnswer(let path): "the disk of \(path) does not answer"
        }
    }
}

extension SQLiteError {
    /// What the system could not do.
    fileprivate var action: String {
        switch kind {
        case .read: "read"
        case .flush: "flush"
        case .open: "open"
        case .full, .damaged, .write, .other: "write"
        }
    }
}

/// Whether the session is being kept on disk.
public enum StorageStatus: Equatable, Sendable {
    /// Every change is saved.
    case saving
    /// Saving fails, with the reason, and is retried.
    case failing(StorageFailure)
}
