import Foundation

/// The daemon's own memory, without JACK's and that of files, while clients play, from each start to the next end.
///
/// A daemon that has been started again begins anew, so only the one that lived longest is judged.
struct MemoryCourse {
    /// It may grow by this much from the second quarter of the time to the last, in MiB: allocators keep what the busiest
    /// moment needed, and that can come at any time.
    private static let tolerance = 4.0
    /// How many values are enough: five minutes.
    private static let least = 30

    /// How often it is measured.
    private static let interval = Duration.seconds(10)

    private var lives: [[Double]] = [[]]
    private var next = ContinuousClock.now

    /// Adds the current memory in MiB.
    mutating func add(_ memory: Double) { lives[lives.count - 1].append(memory) }

    /// Measures and adds it if that is due; call it as often as you like.
    mutating func addIfDue(_ memory: () throws -> Double) rethrows {
        guard ContinuousClock.now >= next else { return }
        add(try memory())
        next = .now + Self.interval
    }

    /// Records that a new daemon has been started.
    mutating func beginLife() { lives.append([]) }

    /// Adds what was found to a verdict.
    func judge(_ verdict: inout SoakVerdict) {
        let longest = lives.max { $0.count < $1.count } ?? []
        guard let (early, late) = Quarters.medians(of: longest, atLeast: Self.least) else {
            return verdict.add("memory", "too short a run to judge", .open)
        }
        verdict.add(
            "memory", String(format: "%.1f MiB of its own in the second quarter, %.1f MiB in the last", early, late),
            isGood: late <= early + Self.tolerance)
    }
}

/// Figures that are compared over a long time.
enum Quarters {
    /// The medians of the second quarter and of the last; nil for too few values.
    ///
    /// - Parameter least: How many values are enough.
    static func medians(of values: [Double], atLeast least: Int = 4) -> (early: Double, late: Double)? {
        guard values.count >= least else { return nil }
        let quarter = values.count / 4
        return (median(values[quarter..<2 * quarter]), median(values[(values.count - quarter)...]))
    }

    private static func median(_ values: ArraySlice<Double>) -> Double { values.sorted()[values.count / 2] }
}
