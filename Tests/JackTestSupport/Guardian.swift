import Foundation

/// Ends a server when this process ends, however that happens: a shell that reads from a pipe sees its other end close.
///
/// A server that ends in order leaves nothing in shared memory; one that does not within a second is killed.
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
        shell.arguments = [
            "-c",
            "read -r dismissed || { kill -CONT $0; kill -TERM $0; sleep 1; kill -KILL $0; }", "\(identifier)",
        ]
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
