import Foundation
import Synchronization

/// A program that does not outlive this process.
final class Child: Sendable {
    let identifier: pid_t
    private let exits: AsyncStream<Int32>

    /// Starts a program.
    ///
    /// - Parameter log: The file that everything it writes is appended to.
    static func start(_ program: URL, _ arguments: [String], log: String) async throws -> Child {
        try await withCheckedThrowingContinuation { continuation in
            // The kernel ends the program when the thread that started it ends, so that one waits for it.
            Thread.detachNewThread {
                do {
                    try run(program, arguments, log: log) { continuation.resume(returning: $0) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private static func run(
        _ program: URL, _ arguments: [String], log: String, started: (Child) -> Void
    ) throws {
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "TERM", program.path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        let (exits, continuation) = AsyncStream<Int32>.makeStream()
        try process.run()
        started(Child(identifier: process.processIdentifier, exits: exits))
        process.waitUntilExit()
        let isOrderly = process.terminationReason == .exit
        continuation.yield(isOrderly ? process.terminationStatus : -process.terminationStatus)
        continuation.finish()
    }

    private init(identifier: pid_t, exits: AsyncStream<Int32>) {
        self.identifier = identifier
        self.exits = exits
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit status, or the signal that ended it as a negative number.
    func end(with signal: Int32) async -> Int32 {
        kill(identifier, signal)
        for await status in exits { return status }
        return 0
    }

    /// Whether it is there.
    var isRunning: Bool { kill(identifier, 0) == 0 }
}
