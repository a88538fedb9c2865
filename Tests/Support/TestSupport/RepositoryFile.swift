import Foundation

/// A file of the repository that tests compare with its source.
public struct RepositoryFile {
    private let url: URL

    /// The file at a path from the repository's top.
    public init(_ path: String) {
        url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(path)")
    }

    /// Whether tests rewrite such files (`PIXELBOOP_UPDATE_DOCS`).
    public static var isUpdating: Bool { ProcessInfo.processInfo.environment["PIXELBOOP_UPDATE_DOCS"] != nil }

    public var path: String { url.path }

    public var content: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: url)) }
    }

    /// Replaces its content.
    public func write(_ content: [UInt8]) throws {
        try Data(content).write(to: url)
    }
}
