import Foundation
import TestSupport

/// The folder of everything that the benchmark's `pixelboopd` stores and reads, deleted with this value.
final class DaemonFolder: Sendable {
    private let directory: TemporaryDirectory
    private static let configuration = "pixelboopd.toml"

    /// An empty folder but for an empty configuration.
    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("", to: Self.configuration)
    }

    /// The folder; also for other files of the benchmark.
    var folder: URL { URL(filePath: directory.path) }

    var socket: String { directory.file("run/control.sock") }

    /// Starts a daemon that continues from what the previous one left; returns when its program is being loaded.
    ///
    /// - Parameter options: Further flags.
    func start(on server: String, options: [String] = []) throws -> ChildProgram {
        try ChildProgram(
            .product("pixelboopd"),
            [
                "--config", directory.file(Self.configuration), "--socket", socket, "--jack-server", server,
                "--state-dir", directory.file("state"), "--data-dir", directory.file("data"),
            ] + options, output: .logged
        ).start()
    }
}
