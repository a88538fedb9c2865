/// What the server's log reports about periods that were not ready on time.
///
/// jackd names each client that had not finished, and its state: `Triggered`, woken and not yet running, which is the
/// machine's scheduling; `Running`, in its process callback. It also reports when the server itself wakes up late.
struct HeardXruns {
    /// Late periods by cause.
    struct Counts: Equatable {
        /// The daemon was in its callback, or had just left it, while the bare client beside it was done.
        var running = 0
        /// The same, but the machine was stalled at about that time (``Lateness``).
        var stalled = 0
        /// Only the daemon had not been woken yet: the machine's scheduling, but not of all clients.
        var notWoken = 0
        /// The bare client was late too, or alone, or the server itself was.
        var machine = 0

        var sum: Int { running + stalled + notWoken + machine }

        static func += (sum: inout Counts, more: Counts) {
            sum.running += more.running
            sum.stalled += more.stalled
            sum.notWoken += more.notWoken
            sum.machine += more.machine
        }
    }

    /// One client's part in a late period.
    fileprivate struct Report {
        var client: Substring
        var wasRunning: Bool

        /// Reads `... client = NAME was not finished, state = STATE` and `... client NAME finished after current
        /// callback` (JackEngine.cpp); nil for other lines.
        init?(_ line: Substring) {
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "client") else { return nil }
            let rest = words[(place + 1)...].drop { $0 == "=" }
            guard let name = rest.first else { return nil }
            let text = rest.dropFirst().joined(separator: " ")
            guard text.hasPrefix("was not finished") || text.hasPrefix("finished after") else { return nil }
            client = name
            wasRunning = text.hasPrefix("finished after") || text.hasSuffix("Running")
        }
    }

    /// How many reports are kept.
    private static let keptReports = 20

    private var log: GrowingFile
    /// The last reports as the server wrote them.
    private(set) var reports: [String] = []

    init(path: String) {
        log = GrowingFile(path: path)
    }

    /// Counts the late periods reported since the last call.
    mutating func read() -> Counts {
        let lines = log.newLines()
        let reports = lines.filter { Report($0) != nil || Self.isServersOwn($0) }
        self.reports = (self.reports + reports.map(String.init)).suffix(Self.keptReports)
        return Self.count(lines)
    }

    /// Counts the late periods that lines report: consecutive lines about different clients belong to one period.
    static func count(_ lines: [Substring]) -> Counts {
        var counts = Counts()
        var period: [Substring: Report] = [:]
        for line in lines {
            let report = Report(line)
            if report.map({ period[$0.client] != nil }) ?? true { counts.close(&period) }
            if let report { period[report.client] = report }
            if isServersOwn(line) { counts.machine += 1 }
        }
        counts.close(&period)
        return counts
    }

    /// `JackTimedDriver::Process XRun = 1234 usec`: the server's own thread was late.
    private static func isServersOwn(_ line: Substring) -> Bool {
        line.contains("XRun = ")
    }
}

extension HeardXruns.Counts {
    fileprivate mutating func close(_ period: inout [Substring: HeardXruns.Report]) {
        guard !period.isEmpty else { return }
        switch period["pixelboop"] {
        case let daemon? where period[Substring(WakeWatch.clientName)] == nil:
            if daemon.wasRunning { running += 1 } else { notWoken += 1 }
        default: machine += 1
        }
        period = [:]
    }
}
