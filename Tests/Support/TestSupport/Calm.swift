/// Runs a test that a stall of the machine can upset, and repeats it if that happened, up to four runs in all.
///
/// - Parameter body: Gets whether this is the last run, in which nothing is excused; returns whether no stall upset it.
public func untilCalm(_ body: (_ isLast: Bool) async throws -> Bool) async rethrows {
    for run in 1...4 {
        if try await body(run == 4) { return }
        if run < 4 { reportRetry("a stall of the machine upset a test") }
    }
}
