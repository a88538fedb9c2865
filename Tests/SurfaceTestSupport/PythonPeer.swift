import DaemonTestSupport
import Foundation
import TestSupport

/// A program in Python, mostly of Tests/Peers, which speaks one of the protocols by means of a library that others wrote, and
/// says what it sees. It ends with this value.
public final class PythonPeer: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let reader: LineReader

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - folder: Where it is in Tests.
    ///   - debian: Whether its library is one of Debian's packages.
    public init(_ name: String, _ arguments: String..., in folder: String = "Peers", debian: Bool = false) throws {
        process.executableURL = debian ? URL(filePath: "/usr/bin/python3") : Self.python
        process.arguments = [Self.path(name, in: folder)] + arguments
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (input, output)
        // Whoever is left behind must not hold what the tests write to.
        process.standardError = FileHandle.nullDevice
        try process.run()
        reader = LineReader(output.fileHandleForReading)
    }

    /// The Python that has PyPI's libraries.
    public static var python: URL { repository.appending(path: ".build/python/bin/python") }

    /// Where a program of a folder of Tests is.
    public static func path(_ name: String, in folder: String = "Peers") -> String {
        repository.appending(path: "Tests/\(folder)/\(name)").path
    }

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

    /// Tells it that nothing more comes, and waits until it has ended by itself.
    public func end() async {
        try? input.fileHandleForWriting.close()
        while await line() != nil {}
    }
}
