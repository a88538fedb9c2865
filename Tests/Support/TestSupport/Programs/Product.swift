import Foundation

extension URL {
    /// A program that is built beside this one.
    public static func product(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }
}
