import Logging

/// When to log xruns: the first at once, then their number once a minute, until a minute passes without any.
struct XrunSummary {
    /// What to call them: JACK servers have xruns, the internal driver has gaps.
    let name: String
    /// Whether a minute is running, at the end of which the xruns are summed up.
    private(set) var isCounting = false
    private var total = 0
    private var reported = 0

    init(_ name: String) {
        self.name = name
    }

    /// Notes the number of xruns since the start.
    ///
    /// - Returns: The message to log; nil within a minute of the last one.
    mutating func grew(to total: Int) -> String? {
        guard total > self.total else { return nil }
        self.total = total
        guard !isCounting else { return nil }
        isCounting = true
        reported = total
        return "\(name): \(total) since the start"
    }

    /// Ends a minute.
    ///
    /// - Returns: The message to log, and another minute begins; nil after a minute without xruns.
    mutating func minuteEnded() -> String? {
        let new = total - reported
        isCounting = new > 0
        reported = total
        return isCounting ? "\(name): \(new) more in a minute, \(total) since the start" : nil
    }
}

/// Logs the messages of ``XrunSummary``.
actor XrunLog {
    private let logger: Logger
    private var summary: XrunSummary

    init(_ name: String, logger: Logger) {
        self.logger = logger
        summary = XrunSummary(name)
    }

    /// Notes the number of xruns since the start.
    func grew(to total: Int) {
        guard let text = summary.grew(to: total) else { return }
        logger.warning("\(text)")
        Task {
            repeat { try await Task.sleep(for: .seconds(60)) } while minuteEnded()
        }
    }

    private func minuteEnded() -> Bool {
        guard let text = summary.minuteEnded() else { return false }
        logger.warning("\(text)")
        return true
    }
}
