import Foundation

/// A file that other programs append lines to.
struct GrowingFile {
    let path: String
    private var offset: UInt64 = 0

    init(path: String) {
        self.path = path
    }

    /// The whole lines that were appended since the last call.
    mutating func newLines() -> [Substring] {
        guard let handle = FileHandle(forReadingAtPath: path), (try? handle.seek(toOffset: offset)) != nil else {
            return []
        }
        defer { try? handle.close() }
        var bytes = Data()
        while case let chunk = handle.availableData, !chunk.isEmpty { bytes += chunk }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        offset += UInt64(end + 1)
        return String(decoding: bytes[...end], as: UTF8.self).split(separator: "\n")
    }
}
