import Control
import FoundationEssentials
import Glibc
import NIOConcurrencyHelpers

/// Figures about the process and its audio driver.
struct ProcessFigures: Sendable {
    private let driver: PlayingDriver
    private let started = ContinuousClock.now
    private let hourly = NIOLockedValueBox(HourlyCount())

    init(driver: PlayingDriver) {
        self.driver = driver
    }

    /// Notes how many xruns the driver has reported.
    func note(xruns total: Int) {
        hourly.withLockedValue { $0.note(total, at: ContinuousClock.now - started) }
    }

    var now: DaemonFigures {
        let uptime = ContinuousClock.now - started
        var figures = driver.figures(uptime: uptime / .seconds(1), memory: Self.residentBytes)
        figures.xrunsLastHour = hourly.withLockedValue { $0.count(of: figures.xruns, at: uptime) }
        return figures
    }

    /// The second figure of `/proc/self/statm` (proc(5)) is the resident set in pages.
    private static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
