import Control
import FoundationEssentials
import Glibc
import Instrument
import Music
import NIOConcurrencyHelpers
import Wire

/// Figures about the process and its audio driver.
struct ProcessFigures: Sendable {
    private let driver: PlayingDriver
    private let started = ContinuousClock.now
    private let hourly = NIOLockedValueBox(HourlyCount())

    init(driver: PlayingDriver) {
        self.driver = driver
    }

    /// Notes the total number of xruns that the driver has reported.
    func note(xruns total: Int) {
        hourly.withLockedValue { $0.note(total, at: ContinuousClock.now - started) }
    }

    func now(_ state: AudioState) -> DaemonFigures {
        let uptime = ContinuousClock.now - started
        var audio = driver.statistics(state)
        audio.xrunsLastHour = hourly.withLockedValue { $0.count(of: audio.xruns, at: uptime) }
        return (uptime / .seconds(1), audio, Self.residentBytes)
    }

    /// The second number in `/proc/self/statm` (proc(5)) is the resident set in pages.
    private static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// How much a total grew within the last hour, with a resolution of ten seconds.
struct HourlyCount: Sendable {
    private static let hour = Duration.seconds(3600)
    private static let grain = Duration.seconds(10)

    /// The totals after each growth, the oldest first; of those before the last hour only the newest is kept.
    private var marks: [(time: Duration, total: Int)] = []

    mutating func note(_ total: Int, at now: Duration) {
        if let last = marks.last, now - last.time < Self.grain, marks.count > 1 {
            marks[marks.count - 1].total = total
        } else {
            marks.append((now, total))
        }
        let old = marks.prefix { now - $0.time >= Self.hour }.count
        marks.removeFirst(max(old - 1, 0))
    }

    /// How much it grew within the hour before a time.
    ///
    /// - Parameter total: The total at that time.
    func count(of total: Int, at now: Duration) -> Int {
        let before = marks.last { now - $0.time >= Self.hour }
        return max(total - (before?.total ?? 0), 0)
    }
}
