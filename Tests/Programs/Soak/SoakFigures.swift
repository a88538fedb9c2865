import Foundation
import JackTestSupport

/// What the daemon uses of the system and of the processor.
struct SoakFigures {
    var use: ProcessUse
    /// Processor time in seconds of all threads it ever had.
    var processorTime: Double
    /// The processor time of each current thread.
    var threads = ThreadTimes()

    var residentMebibytes: Double { Double(use.residentKilobytes) / 1024 }
    var ownMebibytes: Double { Double(use.ownKilobytes) / 1024 }

    /// Processor time of the control event loop's thread since earlier figures, in ms.
    func controlMilliseconds(since earlier: SoakFigures) -> Double {
        threads.milliseconds(since: earlier.threads).filter { $0.name.hasPrefix("NIO-ELT") }
            .reduce(0) { $0 + $1.milliseconds }
    }
}

extension SoakFigures {
    /// The current figures.
    ///
    /// - Throws: If the process is gone.
    init(of process: pid_t) throws {
        threads = try ThreadTimes(of: process)
        use = ProcessUse(of: process)
        processorTime = try Self.processorTime(of: process)
    }

    /// Fields 14 and 15 of `stat` (proc(5)), in ticks: they include threads that have ended.
    private static func processorTime(of process: pid_t) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let end = text.lastIndex(of: ")") else { return 0 }
        // Counted from behind the name in brackets, which may hold anything; field 3 comes first.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields[11...12].reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
