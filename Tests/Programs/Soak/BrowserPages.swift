import Foundation
import SurfaceTestSupport
import TestSupport

/// Pages in a Chromium, with fingers on them.
final class BrowserPages: Sendable {
    /// The results of the pages.
    struct Findings {
        /// Why there were no pages.
        var obstacle: String?
        /// The memory of the browser's processes in MiB, minute by minute.
        var memory: [Double] = []
        /// What went wrong, nil if each page showed the daemon's picture in the end.
        var failure: String?
    }

    /// What is missing for a browser, nil if nothing is.
    static var obstacle: String? {
        ["/usr/bin/chromium", "/usr/bin/chromedriver", "/usr/lib/python3/dist-packages/selenium"]
            .first { !FileManager.default.fileExists(atPath: $0) }.map { "there is no \($0)" }
    }

    private let program: ChildProgram

    /// Opens the pages; returns when they show the grid.
    ///
    /// - Parameter port: The gateway's port on this machine.
    init(at stage: SoakStage, port: Int, seed: UInt64) async throws {
        program = try ChildProgram(
            peer: "visitors.py", "http://127.0.0.1:\(port)/", stage.socketPath, "\(seed)", in: "Clients/BrowserTests",
            debian: true)
        let answer = await program.line() ?? "it has ended"
        guard answer == "ready" else { throw SoakStage.Failure(description: "no pages in Chromium: \(answer)") }
    }

    /// Adds the current memory of the browser's processes.
    func measure(into findings: inout Findings) async {
        let answer = await ask("memory")
        if let kibibytes = answer.split(separator: " ").last.flatMap({ Double($0) }), answer.hasPrefix("memory ") {
            findings.memory.append(kibibytes / 1024)
        } else if findings.failure == nil {
            findings.failure = answer
        }
    }

    /// Compares the pages with the picture of a daemon at rest.
    func judge(into findings: inout Findings) async {
        guard findings.failure == nil, case let answer = await ask("judge"), answer != "equal" else { return }
        findings.failure = answer
    }

    private func ask(_ question: String) async -> String {
        program.write(question)
        return await program.line() ?? "it has ended"
    }

    /// Closes the browser.
    func end() async { await program.endOfInput() }
}
