import DaemonTestSupport
import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// A page of the documentation, whose examples must work as printed.
struct DocumentationPage {
    let text: String

    /// The page at a path from the repository's top.
    init(_ path: String) throws { text = String(decoding: try RepositoryFile(path).content, as: UTF8.self) }

    /// The lines below a heading.
    func section(_ heading: String) throws -> [Substring] {
        let start = try #require(text.range(of: "\n## \(heading)\n")).upperBound
        let end = text.range(of: "\n## ", range: start..<text.endIndex)?.lowerBound ?? text.endIndex
        return text[start..<end].split(separator: "\n")
    }

    /// The indented lines below a heading, as they are to be typed.
    func example(below heading: String) throws -> [String] {
        try section(heading).filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    }

    /// The first block of code in a language.
    func code(in language: String) throws -> String {
        let start = try #require(text.range(of: "```\(language)\n")).upperBound
        let end = try #require(text.range(of: "```\n", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end])
    }
}

extension Stage {
    /// Types commands into a shell that finds `pixelboop` and the daemon, until one fails.
    func type(_ commands: [String]) async throws -> Program.Outcome {
        try await Program.run(
            URL(filePath: "/bin/bash"),
            ["-c", "set -e; cd '\(daemon.directory.path)'\n" + commands.joined(separator: "\n")],
            environment: [
                "PATH": "\(Program.folder.path):/usr/bin:/bin", "PIXELBOOP_SOCKET": daemon.socketPath,
            ])
    }
}
