import Foundation
import TestSupport

@testable import Configuration

/// A home directory with whatever configuration files a test needs.
struct Home {
    private let directory: TemporaryDirectory

    var path: String { directory.path }

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a file below the home directory and returns its path.
    @discardableResult
    func write(_ text: String, to name: String = ".config/pixelboop/pixelboopd.toml") throws -> String {
        let file = directory.file(name)
        let folder = URL(filePath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try directory.write(text, to: name)
        return file
    }

    func sources(
        file: String? = nil, flags: [String: String] = [:], environment: [String: String] = [:]
    ) -> ConfigurationSources {
        ConfigurationSources(
            flags: ConfigurationFlags(file: file, values: flags),
            environment: ["HOME": path, "XDG_RUNTIME_DIR": "/run/user/7"].merging(environment) { $1 },
            workingDirectory: "/somewhere")
    }

    /// The daemon's configuration from a file's text.
    func load(_ text: String) throws -> DaemonSettings {
        try write(text)
        return try LoadedConfiguration<DaemonTable>(sources()).settings
    }

    /// The problems with a file's text and flags, in words, without the path.
    func complaints<Table: SettingTable>(
        of table: Table.Type = DaemonTable.self, about text: String = "", flags: [String: String] = [:]
    ) throws -> [String] {
        let file = try write(text, to: ".config/pixelboop/\(Table.program).toml")
        do {
            _ = try LoadedConfiguration<Table>(sources(flags: flags))
            return []
        } catch {
            return error.problems.map { $0.description.replacing(file, with: "file") }
        }
    }
}
