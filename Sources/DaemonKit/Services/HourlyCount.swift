/// How much a total has grown within the last hour, give or take the ten seconds over which growth is counted together.
struct HourlyCount: Sendable {
    private static let hour = Duration.seconds(3600)
    private static let grain = Duration.seconds(10)

    /// What the total was after it had grown, the oldest first; of those before the last hour only the newest is kept.
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

    /// By how much it has grown within the hour before a moment.
    ///
    /// - Parameter total: What it is then.
    func count(of total: Int, at now: Duration) -> Int {
        let before = marks.last { now - $0.time >= Self.hour }
        return max(total - (before?.total ?? 0), 0)
    }
}
