import Foundation
import Logging

/// The CID by which receivers of sACN tell senders apart: a UUID that stays the same from start to start.
enum ComponentIdentifier {
    /// The bytes of the CID in a file, which is made if there is none. Where that cannot be, the CID lasts until the end.
    static func kept(at path: String, logger: Logger) -> [UInt8] {
        if let text = try? String(contentsOfFile: path, encoding: .utf8),
            let kept = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            return bytes(of: kept)
        }
        let new = UUID()
        do {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data("\(new.uuidString)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            logger.warning("the CID cannot be kept at \(path): \(error.localizedDescription)")
        }
        return bytes(of: new)
    }

    private static func bytes(of identifier: UUID) -> [UInt8] {
        withUnsafeBytes(of: identifier.uuid) { Array($0) }
    }
}
