import Foundation

/// Kills a process when this one ends, however that happens: a shell that reads from a pipe sees its other end close.
final class Guardian: Sendable {
    private let pipeEnd: FileHandle

    /// Watches over a process.
    init(of identifier: pid_t) throws {
        let pipe = Pipe()
        pipeEnd = pipe.fileHandleForWriting
        // Other children must not hold the pipe open.
        _ = fcntl(pipeEnd.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "read -r dismissed || kill -KILL \(identifier)"]
        shell.standardInput = pipe.fileHandleForReading
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        try pipe.fileHandleForReading.close()
    }

    /// Ends the watch.
    func dismiss() {
        try? pipeEnd.write(contentsOf: Data("\n".utf8))
    }
}
