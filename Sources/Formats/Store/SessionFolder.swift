import Glibc
import SystemSupport

/// The state directory: its lock, and the names of the session's databases.
///
///     session.db, session.db-wal       the session
///     session-new.db                   a new database, until it is complete
///     session-copy-20261128-153000.db  a copy, made at that time (UTC)
///     session-aside-20261128-153000.db what was set aside then, with its -wal
final class SessionFolder {
    /// As it was given.
    let path: String
    private var lock: DirectoryLock?
    /// Seconds since 1970.
    private let now: @Sendable () -> Int

    static let database = "session.db"
    static let pending = "session-new.db"
    private static let log = "-wal"

    /// The system's clock.
    static let clock: @Sendable () -> Int = { time(nil) }

    init(_ path: String, now: @escaping @Sendable () -> Int = clock) {
        self.path = path
        self.now = now
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Ensures that the directory exists and is locked by this process, as far as the disk allows it.
    ///
    /// - Throws: ``StorageFailure/inUse(path:processID:)`` if another process has locked it.
    func claim() throws(StorageFailure) {
        try reporting { () throws(FileError) in try makeDirectories(path) }
        if let lock, lock.isInPlace { return }
        lock = nil
        do throws(StorageFailure) {
            lock = try DirectoryLock(path)
        } catch {
            // A read-only disk without the file: nobody else can write there either.
            guard case .file(let reason) = error, reason.code == EROFS else { throw error }
        }
    }

    func unlock() { lock = nil }

    var hasNoLocks: Bool { lock?.isEffective == false }

    /// Why nothing can be written, nil if it can.
    var obstacle: StorageFailure? {
        for file in [file(Self.database), path] where access(file, W_OK) != 0 && errno != ENOENT {
            return .file(FileError("write", file))
        }
        return nil
    }

    // MARK: The session's database

    /// What there is to open.
    enum Content: Equatable {
        case nothing
        /// A log whose database is gone or empty.
        case logOnly
        case database
    }

    func content() throws(StorageFailure) -> Content {
        let database = try size(Self.database)
        // SQLite would delete the log of an empty database.
        guard try size(Self.database + Self.log) ?? 0 > 0 else { return database == nil ? .nothing : .database }
        return database ?? 0 > 0 ? .database : .logOnly
    }

    /// A file's length, nil if there is none.
    private func size(_ name: String) throws(StorageFailure) -> Int? {
        var status = stat()
        guard lstat(file(name), &status) == 0 else {
            guard errno == ENOENT else { throw .file(FileError("read", file(name))) }
            return nil
        }
        return Int(status.st_size)
    }

    /// The path of a file without symbolic links.
    func resolved(_ name: String) throws(StorageFailure) -> String { try SessionFile.resolved(path, name) }

    /// Puts the pending database, which is complete and flushed, in the session's place, and keeps what was there under
    /// other names.
    ///
    /// - Returns: The name of what was set aside, nil for nothing.
    func install() throws(StorageFailure) -> String? {
        let aside = try setAside()
        try rename(Self.pending, Self.database)
        try flush()
        return aside
    }

    /// A pending database that a power cut kept from its place: see ``install()``.
    var hasPending: Bool { (try? size(Self.pending)) ?? nil != nil }

    private func setAside() throws(StorageFailure) -> String? {
        let found = [Self.database, Self.database + Self.log].filter { (try? size($0)) ?? nil != nil }
        guard !found.isEmpty else { return nil }
        let aside = try freeName("session-aside-", in: path, at: now())
        for name in found { try rename(name, aside + name.dropFirst(Self.database.count)) }
        return aside
    }

    private func rename(_ name: String, _ newName: String) throws(StorageFailure) {
        guard Glibc.rename(file(name), file(newName)) == 0 else { throw .file(FileError("rename", file(name))) }
    }

    func flush() throws(StorageFailure) {
        try reporting { () throws(FileError) in try flushDirectory(path) }
    }

    /// The session's database and log, to be read elsewhere.
    func contents() throws(StorageFailure) -> (database: [UInt8], log: [UInt8]) {
        try reporting { () throws(FileError) in
            let limit = 1 << 30
            let database = try FileContent(of: file(Self.database), limit: limit).bytes
            let log = try? FileContent(of: file(Self.database + Self.log), limit: limit).bytes
            return (database, log ?? [])
        }
    }

    /// Bytes that this process may still write; nil if unknown.
    var freeSpace: UInt64? { SystemSupport.freeSpace(in: path) }

    /// The copies beside the session.
    var copies: SessionCopies { SessionCopies(path: path, now: now) }

    private func reporting<Result>(_ body: () throws(FileError) -> Result) throws(StorageFailure) -> Result {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}
