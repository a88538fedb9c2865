import ArgumentParser
import PixelBoopClient

/// The names of the patterns in the daemon's library, for the completions of shells.
enum LibraryNames {
    /// Completes the name of a pattern.
    static let completion = CompletionKind.custom { words, _, _ in await names(socket: socket(in: words)) }

    /// None where there is no daemon: a shell waits for them.
    private static func names(socket path: String) async -> [String] {
        guard let client = try? await PixelBoopClient.connect(to: path) else { return [] }
        defer { client.close() }
        return (try? await client.library().map(\.name)) ?? []
    }

    /// The socket that the words so far lead to.
    private static func socket(in words: [String]) -> String {
        func value(of option: String) -> String? {
            words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
        }
        return value(of: "--socket") ?? value(of: "--session").map { SocketPath.session($0) } ?? SocketPath.standard()
    }
}
