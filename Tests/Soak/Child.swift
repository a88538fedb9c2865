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

/// What a process holds of the system.
struct ProcessFigures {
    var residentMebibytes: Double
    /// Open descriptors by what they are open for, numbers in names left out.
    var descriptors: [String: Int]
    var threads: Int
    /// CPU time used by all threads it ever had, in seconds.
    var cpuTime: Double
    /// CPU time used by the thread of the control event loop, in seconds.
    var controlTime: Double

    var descriptorCount: Int { descriptors.values.reduce(0, +) }
}

extension ProcessFigures {
    /// The present figures (proc(5)); nil when the process is gone.
    init?(of process: pid_t) {
        let base = "/proc/\(process)"
        guard let tasks = try? FileManager.default.contentsOfDirectory(atPath: "\(base)/task"),
            let numbers = try? FileManager.default.contentsOfDirectory(atPath: "\(base)/fd"),
            let memory = try? String(contentsOfFile: "\(base)/statm", encoding: .ascii),
            let pages = memory.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        residentMebibytes = pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
        // One that was closed meanwhile has no name any more.
        let names = numbers.compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(base)/fd/\(number)")
                .replacing(" (deleted)", with: "").filter { !$0.isNumber }
        }
        descriptors = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        threads = tasks.count
        (cpuTime, controlTime) = (Self.cpuTime(of: base), 0)
        for task in tasks {
            // The first figure is the time on a CPU in ns.
            guard let times = try? String(contentsOfFile: "\(base)/task/\(task)/schedstat", encoding: .ascii),
                let name = try? String(contentsOfFile: "\(base)/task/\(task)/comm", encoding: .utf8),
                name.hasPrefix("NIO-ELT"), let nanoseconds = times.split(separator: " ").first.flatMap({ Double($0) })
            else { continue }
            controlTime += nanoseconds / 1e9
        }
    }

    /// Fields 14 and 15 of `stat`, in ticks: they hold the time of threads that have ended, too.
    private static func cpuTime(of process: String) -> Double {
        guard let text = try? String(contentsOfFile: "\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // Counted from behind the name in brackets, which may hold anything; field 3 comes first.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields[11...12].reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
