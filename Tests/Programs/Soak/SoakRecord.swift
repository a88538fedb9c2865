import Foundation
import JackTestSupport
import Music

/// The observations, and the verdict on them.
struct SoakRecord {
    /// One line of the record.
    struct Minute {
        var time: Duration
        var figures: SoakFigures
        var xruns: HeardXruns.Counts
        /// The machine's, since the previous line.
        var punctuality: WakeLog.Figures
        /// The longest time that the daemon's process callback took, in µs, as reported by the daemon.
        var worstCallback: Double
        var restarts: Int

        /// The line to print.
        func line(since last: Minute?, from before: SoakFigures) -> String {
            let seconds = (time - (last?.time ?? .zero)) / .seconds(1)
            let earlier = last?.figures ?? before
            let control = figures.controlMilliseconds(since: earlier) / seconds
            let all = 1000 * (figures.processorTime - earlier.processorTime) / seconds
            return String(
                format: "%5.1f min: control %.0f ms/s, all %.0f ms/s, %.1f MiB, %d descriptors, %d threads; ",
                time / .seconds(60), control, all, figures.residentMebibytes, figures.use.descriptors,
                figures.use.threads)
                + "xruns \(xruns.running) running, \(xruns.stalled) in a stall, \(xruns.notWoken) not woken, "
                + "\(xruns.machine) the machine's; "
                + String(
                    format: "worst callback %.0f us; bare client %d us late at worst, %d times over half a period; "
                        + "a processor stood still for %d us; ",
                    worstCallback, punctuality.worst, punctuality.late, punctuality.halt) + "\(restarts) restarts"
        }
    }

    /// At the start, with JACK and without clients.
    let before: SoakFigures
    /// The same at the end.
    var after: SoakFigures?
    var minutes: [Minute] = []
    /// How long the daemon took to play again after the server was back.
    var recoveries: [Duration] = []
    var exitStatus: Int32?
    var exitTime: Duration = .zero
    /// The first client that was let down, and how.
    var failure: String?
    /// What was heard at the MIDI outputs, and published of steps.
    var heard = Listener.Findings()
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

    private let period: Double
    private var comparison = Company.Comparison()

    /// A record that starts with the daemon's figures before any client came.
    ///
    /// - Parameter period: A period's length in µs.
    init(before: SoakFigures, period: Double) {
        self.before = before
        self.period = period
    }

    /// Adds the results of comparing all pictures.
    mutating func add(_ more: Company.Comparison) {
        comparison.equal += more.equal
        comparison.different += more.different
        comparison.unknown += more.unknown
    }

    // MARK: The verdict

    struct Verdict {
        var lines: [String] = []
        var isGood = true

        fileprivate mutating func add(_ what: String, _ finding: String, isGood: Bool) {
            lines.append("\(isGood ? "good" : "BAD ") \(what): \(finding)")
            self.isGood = self.isGood && isGood
        }
    }

    /// Memory may grow by this much from the second quarter of the time to the last, in MiB: allocators keep what the
    /// busiest moment needed, and that can come at any time.
    private static let memoryTolerance = 4.0
    /// A browser's memory may grow by this factor: when it cleans up is its own affair.
    private static let browserGrowth = 1.25
    /// Threads of pools, which start on demand and then stay.
    private static let poolThreads = 2 * ProcessInfo.processInfo.activeProcessorCount
    /// service.md: when the server is back, the daemon plays again within 5 s.
    private static let longestRecovery = Duration.seconds(5)

    var verdict: Verdict {
        var verdict = Verdict()
        addXruns(to: &verdict)
        addMemory(to: &verdict)
        if let after {
            verdict.add(
                "descriptors",
                "\(before.use.descriptors) at the start, \(after.use.descriptors) at the end"
                    + newDescriptors(after).map { "; \($0.value) more of \($0.key)" }.sorted().joined(),
                isGood: newDescriptors(after).isEmpty)
            verdict.add(
                "threads", "\(before.use.threads) at the start, \(after.use.threads) at the end",
                isGood: after.use.threads <= before.use.threads + Self.poolThreads)
        }
        verdict.add(
            "pictures",
            "\(comparison.equal) equal, \(comparison.different) different, \(comparison.unknown) not to "
                + "be compared", isGood: comparison.equal > 0 && comparison.different + comparison.unknown == 0)
        if let longest = recoveries.max() {
            verdict.add(
                "JACK",
                String(
                    format: "back %d times, the daemon %.2f s later at most", recoveries.count, longest / .seconds(1)),
                isGood: longest <= Self.longestRecovery)
        }
        addSteps(to: &verdict)
        addMidi(to: &verdict)
        addAudio(to: &verdict)
        verdict.add(
            "surfaces", Self.words(surfaces, "as the daemon's picture", "different"),
            isGood: !surfaces.isEmpty && surfaces.values.allSatisfy(\.self))
        addBrowser(to: &verdict)
        verdict.add(
            "doctor", "\(doctor.count) reports, \(doctor.faults.count) faults" + Self.examples(doctor.faults),
            isGood: doctor.count > 0 && doctor.faults.isEmpty)
        addEncore(to: &verdict)
        addEnd(to: &verdict)
        return verdict
    }

    private func addEncore(to verdict: inout Verdict) {
        let finding =
            switch encore {
            case .equal: "every port as an untouched daemon's"
            case .different(let place): "not as an untouched daemon's: \(place)"
            case .missed: "not recorded without a late period"
            }
        verdict.add("output", finding, isGood: encore == .equal)
    }

    private func addEnd(to verdict: inout Verdict) {
        verdict.add(
            "programs",
            programs.isEmpty
                ? "all ended in order" : programs.map { "\($0.key) with \($0.value)" }.sorted().joined(separator: ", "),
            isGood: programs.isEmpty)
        verdict.add(
            "session", Self.words(found, "equal", "different"),
            isGood: !found.isEmpty && found.values.allSatisfy(\.self))
        verdict.add("clients", failure ?? "none was let down", isGood: failure == nil)
        verdict.add(
            "end", String(format: "status %d after %.2f s", exitStatus ?? -1, exitTime / .seconds(1)),
            isGood: exitStatus == 0)
    }

    private static func words(_ findings: [String: Bool], _ good: String, _ bad: String) -> String {
        findings.map { "\($0.key) \($0.value ? good : bad)" }.sorted().joined(separator: ", ")
    }

    private static func examples(_ faults: [String]) -> String { faults.prefix(3).map { "; \($0)" }.joined() }

    private func addSteps(to verdict: inout Verdict) {
        let steps = heard.steps
        verdict.add(
            "steps",
            "\(steps.inOrder) each after the one before it, \(steps.faults.count) jumps, \(steps.excused) more where the music "
                + "was stopped, what was followed jumped, or periods were late" + Self.examples(steps.faults),
            isGood: steps.inOrder > 0 && steps.faults.isEmpty)
        verdict.add(
            "sources", heard.followed.map { "\($0.key.name) \($0.value) times" }.sorted().joined(separator: ", "),
            isGood: heard.followed[.midi] != nil)
    }

    private func addMidi(to verdict: inout Verdict) {
        let (keys, clock) = (heard.keys, heard.clock)
        verdict.add(
            "keys",
            "\(keys.notes) notes at midi_out, \(keys.stops) stops, \(keys.down.count) down at the end"
                + Self.examples(keys.faults),
            isGood: keys.notes > 0 && keys.stops > 0 && keys.down.isEmpty && keys.faults.isEmpty)
        verdict.add(
            "clock",
            "12 ticks in each of \(clock.pairs) times two steps, not in \(clock.faults.count)"
                + Self.examples(clock.faults), isGood: clock.pairs > 0 && clock.faults.isEmpty)
    }

    /// Blocks that were dropped for a listener that did not keep up are the machine's fault; what arrives must be
    /// whole.
    private func addAudio(to verdict: inout Verdict) {
        let words = audio.sorted { $0.key < $1.key }.map { name, heard in
            "\(name) \(heard.blocks) blocks, \(heard.sounding) with sound, \(heard.leaps) leaps and \(heard.breaks) breaks"
        }
        verdict.add(
            "audio", words.joined(separator: "; "),
            isGood: !audio.isEmpty && audio.values.allSatisfy { $0.sounding > 0 && $0.malformed == 0 })
    }

    private func addBrowser(to verdict: inout Verdict) {
        if let obstacle = browser.obstacle {
            verdict.lines.append("     browser: gone without, \(obstacle)")
            return
        }
        let pages = browser.failure ?? "its pages as the daemon's picture"
        guard let (early, late) = quarters(of: browser.memory) else {
            verdict.add("browser", pages + "; too short a run to judge its memory", isGood: browser.failure == nil)
            return
        }
        verdict.add(
            "browser", pages + String(format: "; %.0f MiB in the second quarter, %.0f MiB in the last", early, late),
            isGood: browser.failure == nil && late <= early * Self.browserGrowth)
    }

    /// A daemon that is in its callback when the period ends has caused the xrun only if its callback can take that
    /// long. Otherwise it was woken late.
    private func addXruns(to verdict: inout Verdict) {
        let xruns = minutes.last?.xruns ?? HeardXruns.Counts()
        let worst = minutes.map(\.worstCallback).max() ?? 0
        verdict.add(
            "xruns",
            "\(xruns.running) where only the daemon was still in its callback, which never took more than "
                + String(format: "%.0f of %.0f us; ", worst, period)
                + "\(xruns.stalled) where it was when the machine stood still; \(xruns.notWoken) where only it had not "
                + "been woken; \(xruns.machine) of the machine", isGood: xruns.running == 0 || worst < period)
    }

    private func newDescriptors(_ after: SoakFigures) -> [String: Int] {
        after.use.descriptorKinds.merging(before.use.descriptorKinds) { $0 - $1 }
            .filter { after.use.descriptorKinds[$0.key] != nil && $0.value > 0 }
    }

    private func addMemory(to verdict: inout Verdict) {
        guard let (early, late) = quarters(of: minutes.map(\.figures.residentMebibytes)) else {
            verdict.lines.append("     memory: too short a run to judge")
            return
        }
        verdict.add(
            "memory", String(format: "%.1f MiB in the second quarter, %.1f MiB in the last", early, late),
            isGood: late <= early + Self.memoryTolerance)
    }

    /// The medians of the second quarter and of the last; nil for too few values.
    private func quarters(of values: [Double]) -> (Double, Double)? {
        guard values.count >= 4 else { return nil }
        let quarter = values.count / 4
        return (median(values[quarter..<2 * quarter]), median(values[(values.count - quarter)...]))
    }

    private func median(_ values: ArraySlice<Double>) -> Double {
        values.sorted()[values.count / 2]
    }
}
