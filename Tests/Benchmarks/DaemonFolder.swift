import DaemonTestSupport
import Foundation
import TestSupport

/// All that a `pixelboopd` of the benchmark's own keeps and reads, in a folder that goes with this.
final class DaemonFolder: Sendable {
    /// Where that is; also for whatever else belongs to the benchmark.
    let folder: URL

    /// A folder without anything in it but an empty configuration.
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

    /// Starts a daemon that goes on from what the one before left; returns when its program is being loaded.
    ///
    /// - Parameter options: More flags for it.
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
