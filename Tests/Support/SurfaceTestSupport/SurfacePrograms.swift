import Foundation
import TestSupport

extension ChildProgram {
    /// A surface's built program.
    ///
    /// - Parameter socket: The daemon's control socket; nobody listens there by default.
    public convenience init(
        surface program: String, socket: String = "/nowhere/control.sock", flags: [String] = [],
        environment: [String: String] = [:], in directory: TemporaryDirectory? = nil
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        try self.init(
            .product(program), flags,
            environment: ["HOME": directory.path, "PIXELBOOP_SOCKET": socket, "PATH": "/usr/bin:/bin"]
                .merging(environment) { $1 }, in: directory)
    }

    /// A Python program, mostly from Tests/Programs/Peers, which speaks a protocol with a third-party library, and prints what it
    /// sees.
    ///
    /// - Parameters:
    ///   - folder: Where it is in Tests.
    ///   - debian: Whether its library is one of Debian's packages.
    public convenience init(
        peer name: String, _ arguments: String..., in folder: String = "Programs/Peers", debian: Bool = false
    ) throws {
        try self.init(
            debian ? URL(filePath: "/usr/bin/python3") : Python.executable,
            [Python.path(of: name, in: folder)] + arguments)
        try start()
    }
}

/// The Python with the libraries from PyPI.
public enum Python {
    public static var executable: URL { repository.appending(path: ".build/python/bin/python") }

    public static func path(of name: String, in folder: String = "Programs/Peers") -> String {
        repository.appending(path: "Tests/\(folder)/\(name)").path
    }

    private static var repository: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    }
}

extension Need {
    /// PyPI's libraries for ``Python/executable``.
    public static let pythonLibraries = Need(
        "needs .build/python, which scripts/test makes",
        isMet: FileManager.default.isExecutableFile(atPath: Python.executable.path))
}
