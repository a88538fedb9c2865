import Foundation
import JackTestSupport

/// What the daemon holds of the system, and has used of the processor.
struct ProcessFigures {
    var use: ProcessUse
    /// Processor time of all threads it ever had, in seconds.
    var processorTime: Double
    /// The processor time that each present thread has had.
    var threads = ThreadTimes()

    var residentMebibytes: Double { Double(use.residentKilobytes) / 1024 }

    /// Processor time of the control event loop's thread since earlier figures, in ms.
    func controlMilliseconds(since earlier: ProcessFigures) -> Double {
        threads.milliseconds(since: earlier.threads).filter { $0.name.hasPrefix("NIO-ELT") }
            .reduce(0) { $0 + $1.milliseconds }
    }
}

extension ProcessFigures {
    /// The present figures.
    ///
    /// - Throws: When the process is gone.
    init(of process: pid_t) throws {
        threads = try ThreadTimes(of: process)
        use = ProcessUse(of: process)
        processorTime = try Self.processorTime(of: process)
    }

    /// Fields 14 and 15 of `stat` (proc(5)), in ticks: they hold the time of threads that have ended, too.
    private static func processorTime(of process: pid_t) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let end = text.lastIndex(of: ")") else { return 0 }
        // Counted from behind the name in brackets, which may hold anything; field 3 comes first.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields[11...12].reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
