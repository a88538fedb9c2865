import DaemonTestSupport
import Foundation
import TestSupport

/// The folder of everything that the benchmark's `pixelboopd` stores and reads, deleted with this value.
final class DaemonFolder: Sendable {
    /// The folder; also for other files of the benchmark.
    let folder: URL

    /// An empty folder but for an empty configuration.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pixelboop-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: configuration)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var socket: String { folder.appending(path: "run/control.sock").path }

    private var configuration: URL { folder.appending(path: "pixelboopd.toml") }

    /// Starts a daemon that continues from what the previous one left; returns when its program is being loaded.
    ///
    /// - Parameter options: Further flags.
    func start(on server: String, options: [String] = []) throws -> ChildProgram {
        try ChildProgram(
            .product("pixelboopd"),
            [
                "--config", configuration.path, "--socket", socket, "--jack-server", server,
                "--state-dir", folder.appending(path: "state").path, "--data-dir", folder.appending(path: "data").path,
            ] + options, output: .logged
        ).start()
    }
}
