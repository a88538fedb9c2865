import Control
import Foundation
import Glibc
import JackAudio

/// Figures about the process and its audio driver.
struct ProcessFigures: Sendable {
    private let jack: JackSupervisor
    private let started = ContinuousClock.now

    init(jack: JackSupervisor) {
        self.jack = jack
    }

    var now: DaemonFigures {
        let statistics = jack.statistics
        let uptime = ContinuousClock.now - started
        return DaemonFigures(
            uptime: uptime / .seconds(1), xruns: statistics.xruns, load: statistics.load / 100,
            worst: statistics.worstCallback, memory: Self.residentBytes)
    }

    /// The second figure of `/proc/self/statm` (proc(5)) is the resident set in pages.
    private static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
