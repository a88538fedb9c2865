import Foundation

/// A file of the repository that tests hold against what it is made of.
public struct RepositoryFile {
    private let url: URL

    /// The file at a path from the repository's top.
    public init(_ path: String) {
        url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)")
    }

    /// Whether tests write such files anew (`PIXELBOOP_UPDATE_DOCS`).
    public static var isUpdating: Bool { ProcessInfo.processInfo.environment["PIXELBOOP_UPDATE_DOCS"] != nil }

    /// Where it is.
    public var path: String { url.path }

    /// What is in it.
    public var content: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: url)) }
    }

    /// Replaces what is in it.
    public func write(_ content: [UInt8]) throws {
        try Data(content).write(to: url)
    }
}
