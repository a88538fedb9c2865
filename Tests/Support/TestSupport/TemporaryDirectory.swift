import Foundation

/// A directory that exists as long as this value, and is then removed with its content.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        let pattern = FileManager.default.temporaryDirectory.appending(path: "pixelboop-XXXXXX").path
        var template = Array(pattern.utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all files, hidden ones included.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Replaces the content of a file.
    public func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    /// The content of a file.
    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    }
}
