import Foundation

@testable import Configuration

/// A home directory with whatever configuration files a test needs.
final class Home {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file below the home directory and returns its path.
    @discardableResult
    func write(_ text: String, to name: String = ".config/pixelboop/pixelboopd.toml") throws -> String {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return "\(path)/\(name)"
    }

    func sources(
        file: String? = nil, flags: [String: String] = [:], environment: [String: String] = [:]
    ) -> ConfigurationSources {
        ConfigurationSources(
            flags: ConfigurationFlags(file: file, values: flags),
            environment: ["HOME": path, "XDG_RUNTIME_DIR": "/run/user/7"].merging(environment) { $1 },
            workingDirectory: "/somewhere")
    }

    /// The configuration from a file's text.
    func load(_ text: String) throws -> DaemonSettings {
        try write(text)
        return try LoadedConfiguration<DaemonTable>(sources()).settings
    }

    /// The problems with a file's text, in words, without the path.
    func complaints(about text: String) throws -> [String] {
        let file = try write(text)
        do {
            _ = try LoadedConfiguration<DaemonTable>(sources())
            return []
        } catch {
            return error.problems.map { $0.description.replacing(file, with: "file") }
        }
    }
}
