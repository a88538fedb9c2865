/// Many measured times, sorted.
struct Distribution {
    private let sorted: [Double]

    /// The distribution of at least one time, in any unit.
    init(_ times: [Double]) {
        precondition(!times.isEmpty)
        sorted = times.sorted()
    }

    /// The time that a share of all times (0 to 1) does not exceed.
    func quantile(_ part: Double) -> Double {
        sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    var maximum: Double { sorted[sorted.count - 1] }
}
