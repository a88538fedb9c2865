import DaemonTestSupport
import Foundation
import JackTestSupport

/// A program on one of two hosts that is talked to by lines.
package final class HostProgram: Sendable {
    private let process = Process()
    private let exit: ProcessExit
    private let input = Pipe()
    private let reader: LineReader

    /// Starts a program that is built here.
    ///
    /// - Parameter readsErrors: Whether its lines are those of its standard error.
    package convenience init(
        on hosts: TwoHosts, _ host: TwoHosts.Host, _ program: String, _ arguments: [String] = [],
        readsErrors: Bool = false
    ) throws {
        try self.init(on: hosts, host, at: .product(program), arguments, readsErrors: readsErrors)
    }

    /// Starts a program.
    ///
    /// - Parameter readsErrors: Whether its lines are those of its standard error.
    package init(
        on hosts: TwoHosts, _ host: TwoHosts.Host, at program: URL, _ arguments: [String], readsErrors: Bool = false
    ) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = hosts.command(host, program, arguments)
        process.standardInput = input
        process.standardOutput = readsErrors ? FileHandle.nullDevice : output
        process.standardError = readsErrors ? output : FileHandle.nullDevice
        exit = ProcessExit(of: process)
        try process.run()
        reader = LineReader(output.fileHandleForReading)
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Says a line to it.
    package func say(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// The next line that it says, nil at the end.
    package func next() async -> String? { await reader.next() }

    /// Has it end, and waits until it has.
    package func end() async {
        process.terminate()
        await exit.wait()
    }
}
