import Foundation
import JackTestSupport
import Music

/// The observations, and the verdict on them.
struct SoakRecord {
    /// One line of the record.
    struct Minute {
        var time = Duration.zero
        var figures: SoakFigures
        var xruns = HeardXruns.Counts()
        /// The machine's, since the previous line.
        var punctuality = WakeLog.Figures()
        /// The longest time that the daemon's process callback took, in µs, as reported by the daemon.
        var worstCallback = 0.0
        /// How often JACK had come back.
        var restarts = 0
        /// How often the daemon had been killed.
        var kills = 0

        /// The line to print.
        func line(since last: Minute) -> String {
            let seconds = (time - last.time) / .seconds(1)
            let control = figures.controlMilliseconds(since: last.figures) / seconds
            let all = 1000 * (figures.processorTime - last.figures.processorTime) / seconds
            return String(
                format: "%5.1f min: control %.0f ms/s, all %.0f ms/s, %.1f MiB, %.1f its own, %d descriptors, %d "
                    + "threads; ",
                time / .seconds(60), control, all, figures.residentMebibytes, figures.ownMebibytes,
                figures.use.descriptors, figures.use.threads)
                + "xruns \(xruns.running) running, \(xruns.stalled) in a stall, \(xruns.notWoken) not woken, "
                + "\(xruns.machine) the machine's; "
                + String(
                    format: "worst callback %.0f us; bare client %d us late at worst, %d times over half a period; "
                        + "a processor stood still for %d us; %d restarts, %d kills",
                    worstCallback, punctuality.worst, punctuality.late, punctuality.halt, restarts, kills)
        }
    }

    /// At the start, with JACK and without clients.
    let before: SoakFigures
    /// The same at the end.
    var after: SoakFigures?
    var minutes: [Minute] = []
    var memory = MemoryCourse()
    /// How long the daemon took to play again after the server was back.
    var recoveries: [Duration] = []
    var exitStatus: Int32?
    var exitTime: Duration = .zero
    /// The first client that was let down, and how.
    var failure: String?
    /// What was heard at the MIDI outputs, and published of steps.
    var heard = Listener.Findings()
    /// How takes agree with what was heard.
    var takes = TakeFindings()
    /// What the listeners heard, by where they listened.
    var audio: [String: HeardAudio] = [:]
    var browser = BrowserPages.Findings()
    /// What `pixelboop doctor` reported.
    var doctor = DoctorReports()
    /// Whether each surface showed the right picture in the end.
    var surfaces: Surfaces.Findings = [:]
    /// The programs that did not end normally, with their exit status.
    var programs: [String: Int32] = [:]
    /// Whether the daemon restored its contents, by how it had been ended.
    var found: [String: Bool] = [:]

    /// What the daemon played in the end, compared with an untouched one's.
    enum EncoreFinding: Equatable {
        case equal
        /// Where it differs first.
        case different(String)
        /// Periods were late each time.
        case missed
    }

    var encore = EncoreFinding.missed

    /// A period's length in µs.
    let period: Double
    private(set) var comparison = Company.Comparison()

    /// A record that starts with the daemon's figures before any client came.
    ///
    /// - Parameter period: A period's length in µs.
    init(before: SoakFigures, period: Double) {
        self.before = before
        self.period = period
    }

    /// Records whether the daemon restored something, each time.
    mutating func find(_ isFound: Bool, _ what: String) { found[what] = isFound && found[what] ?? true }

    /// Adds the results of comparing all pictures.
    mutating func add(_ more: Company.Comparison) {
        comparison.equal += more.equal
        comparison.different += more.different
        comparison.unknown += more.unknown
    }
}
