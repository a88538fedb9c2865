/// A command, and when it was sent in µs.
struct SentCommand: BitwiseCopyable {
    var command: RtCommand
    var usecs: UInt64

    /// Whether the command had to wait for much longer than until the next period, as it does when the server hangs.
    func isLate(in cycle: RtCycle) -> Bool {
        let age = Double(Int64(bitPattern: cycle.nowUsecs &- usecs))
        return age > 100_000 + Double(cycle.frameCount) * cycle.usecsPerFrame
    }
}
