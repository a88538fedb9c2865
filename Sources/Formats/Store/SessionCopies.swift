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
        let name = try SessionDate.freeName(Self.prefix, at: now(), in: path)
        guard rename(pending, "\(path)/\(name)") == 0 else { throw .file(FileError("rename", pending)) }
        do throws(FileError) { try flushDirectory(path) } catch { throw .file(error) }
        for old in try names().dropFirst(Self.limit) { SessionFile.remove("\(path)/\(old)") }
    }

    private func seconds(of name: String) -> Int? { SessionDate.seconds(of: name, Self.prefix) }
}

/// Times in files' names: `session-copy-20261128-153000.db`, in UTC.
enum SessionDate {
    private static let format = "%Y%m%d-%H%M%S"
    private static let suffix = ".db"

    /// A name that no file in a directory has.
    static func freeName(
        _ prefix: String, at seconds: Int, in directory: String
    ) throws(StorageFailure) -> String {
        let date = text(seconds)
        for number in 1...999 {
            let name = prefix + date + (number == 1 ? "" : "-\(number)") + suffix
            if ["", "-wal"].allSatisfy({ access("\(directory)/\(name)\($0)", F_OK) != 0 }) { return name }
        }
        throw .file(FileError("create", "\(directory)/\(prefix)\(date)\(suffix)", code: EEXIST))
    }

    /// The time in a name, in seconds since 1970; nil for other names.
    static func seconds(of name: String, _ prefix: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let digits = name.utf8.dropFirst(prefix.utf8.count).prefix(15)
        guard digits.count == 15, digits.dropFirst(8).first == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int32? {
            Int32(String(decoding: digits.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15)
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return timegm(&parts)
    }

    private static func text(_ seconds: Int) -> String {
        var (seconds, parts) = (time_t(seconds), tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, format, &parts)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}

/// Bytes that this process may still write in a directory; nil if unknown.
func freeSpace(in directory: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
}
