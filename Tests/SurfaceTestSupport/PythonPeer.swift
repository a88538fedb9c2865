import DaemonTestSupport
import Foundation
import TestSupport

/// A program of Tests/Peers, which speaks one of the protocols by means of a library that others wrote, and says what it
/// sees. It ends with this value.
public final class PythonPeer: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let reader: LineReader

    /// Starts the program.
    ///
    /// - Parameter debian: Whether its library is one of Debian's packages.
    public init(_ name: String, _ arguments: String..., debian: Bool = false) throws {
        process.executableURL = debian ? URL(filePath: "/usr/bin/python3") : Self.python
        process.arguments = [Self.path(name)] + arguments
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (input, output)
        // Whoever is left behind must not hold what the tests write to.
        process.standardError = FileHandle.nullDevice
        try process.run()
        reader = LineReader(output.fileHandleForReading)
    }

    /// The Python that has PyPI's libraries.
    public static var python: URL { repository.appending(path: ".build/python/bin/python") }

    /// Where a program of Tests/Peers is.
    public static func path(_ name: String) -> String { repository.appending(path: "Tests/Peers/\(name)").path }

    private static var repository: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
    }

    /// The next line that it prints, nil when it has ended; for one reader at a time.
    public func line() async -> String? { await reader.next() }

    /// Writes a line to it.
    public func write(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
}
