import FoundationEssentials
import Glibc
import Logging
import SystemSupport

/// The CID by which sACN receivers identify senders: a UUID that stays the same across restarts.
enum ComponentIdentifier {
    /// The bytes of the CID in a file, which is created if it is missing. If that fails, the CID lasts until the
    /// program ends.
    static func kept(at path: String, logger: Logger) -> [UInt8] {
        let new = UUID()
        do throws(FileError) {
            if let kept = try read(path) { return bytes(of: kept) }
            try makeDirectories(directory(of: path))
            try AtomicFile.write(Array("\(new.uuidString)\n".utf8), to: path)
        } catch {
            logger.warning("cannot store the CID: \(error)")
        }
        return bytes(of: new)
    }

    /// The CID in a file; nil when the file is missing or empty.
    private static func read(_ path: String) throws(FileError) -> UUID? {
        let content: [UInt8]
        do throws(FileError) {
            content = try FileContent(of: path, limit: 1024).bytes
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        let words = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let word = words.first else { return nil }
        guard words.count == 1, let kept = UUID(uuidString: String(word)) else {
            throw FileError("use", path, code: EINVAL, objection: "expected a UUID and nothing else in it")
        }
        return kept
    }

    private static func bytes(of identifier: UUID) -> [UInt8] {
        withUnsafeBytes(of: identifier.uuid) { Array($0) }
    }
}
