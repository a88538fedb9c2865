import Glibc
import Music
import SystemSupport

/// The copies of a session beside it: whole databases with one snapshot. Any thread may use it.
struct SessionCopies: Sendable {
    /// The state directory.
    let path: String
    /// Seconds since 1970.
    let now: @Sendable () -> Int

    private static let prefix = "session-copy-"
    private static let pending = "session-copy-new.db"
    /// How many are kept.
    private static let limit = 2
    /// The least time between two, in seconds.
    static let pause = 3600
    /// How long after one the next is made, in seconds.
    static let interval = 24 * 3600
    /// Bytes that must be free.
    private static let room: UInt64 = 64 << 20

    /// Their names, the newest first.
    func names() throws(StorageFailure) -> [String] {
        do throws(FileError) {
            return try SystemSupport.names(inDirectory: path).filter { seconds(of: $0) != nil }.sorted(by: >)
        } catch {
            throw .file(error)
        }
    }

    /// Whether one may be made now.
    var isDue: Bool {
        guard freeSpace(in: path) ?? 0 >= Self.room, let names = try? names() else { return false }
        guard let newest = names.first.flatMap(seconds) else { return true }
        // A clock that was set back does not prevent copies.
        return now() - newest >= Self.pause || newest > now()
    }

    /// Makes a copy, and removes those before the newest two.
    func make(of document: Document, number: Int64) throws(StorageFailure) {
        let pending = try SessionFile.resolved(path, Self.pending)
        try WholeDatabase.write(SnapshotProgress(document, number: number), to: pending)
        let name = try freeName(Self.prefix, in: path, at: now())
        guard rename(pending, "\(path)/\(name)") == 0 else { throw .file(FileError("rename", pending)) }
        do throws(FileError) { try flushDirectory(path) } catch { throw .file(error) }
        for old in try names().dropFirst(Self.limit) { SessionFile.remove("\(path)/\(old)") }
    }

    private func seconds(of name: String) -> Int? { DatedName.seconds(of: name, Self.prefix) }
}

/// A name of this time that no file in a directory has.
func freeName(_ prefix: String, in directory: String, at seconds: Int) throws(StorageFailure) -> String {
    do throws(FileError) {
        return try DatedName.free(prefix, at: seconds, in: directory)
    } catch {
        throw .file(error)
    }
}
