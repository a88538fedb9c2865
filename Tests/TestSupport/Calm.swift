/// Runs a test that is upset by a machine which stands still for a moment, anew if that happened, up to four times.
///
/// - Parameter body: Is told whether this is the last run, in which nothing is excused; returns whether nothing was upset.
public func untilCalm(_ body: (_ isLast: Bool) async throws -> Bool) async rethrows {
    for run in 1...4 {
        if try await body(run == 4) { return }
    }
}
