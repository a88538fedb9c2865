/// When periods are due: each at a deadline that is computed from its number, so that errors do not add up.
struct PeriodClock: BitwiseCopyable {
    struct Turn: BitwiseCopyable, Equatable {
        /// When it is due, in ns.
        var due: UInt64
        /// Its first frame, counted from the start.
        var frame: Int64
        /// Whether it may be rendered now, or must be waited for.
        var isDue: Bool
        /// How many periods before it are skipped, because they are long overdue.
        var missed: Int64
    }

    /// How late rendering may be and still catch up, in ns. If it is later than that, it continues from now.
    static var patience: UInt64 {
        @_noLocks @_noAllocation get { 100_000_000 }
    }

    private static var second: UInt64 {
        @_noLocks @_noAllocation get { 1_000_000_000 }
    }

    private let origin: UInt64
    private let sampleRate: UInt64
    private let period: UInt64
    /// The number of the next period.
    private var next: UInt64 = 0

    /// A clock whose first period is due at a time in ns.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames per second.
    ///   - period: Frames per period.
    init(startingAt origin: UInt64, sampleRate: Int, period: Int) {
        self.origin = origin
        self.sampleRate = UInt64(sampleRate)
        self.period = UInt64(period)
    }

    /// The turn of the next period; a due one is returned once.
    @_noLocks @_noAllocation
    mutating func turn(at now: UInt64) -> Turn {
        var due = deadline(of: next)
        var missed: Int64 = 0
        if now > due + PeriodClock.patience {
            // Start with a period that is not due yet, so that even a thread that is always late sleeps now and then.
            var number = firstNumber(after: now)
            if deadline(of: number) <= now { number += 1 }
            missed = Int64(number - next)
            next = number
            due = deadline(of: number)
        }
        let turn = Turn(due: due, frame: Int64(next * period), isDue: due <= now, missed: missed)
        if turn.isDue { next += 1 }
        return turn
    }

    /// Whole seconds are computed separately, so that no product exceeds 64 bits.
    @_noLocks @_noAllocation
    private func deadline(of number: UInt64) -> UInt64 {
        let frame = number * period
        return origin + frame / sampleRate * PeriodClock.second + frame % sampleRate * PeriodClock.second / sampleRate
    }

    @_noLocks @_noAllocation
    private func firstNumber(after now: UInt64) -> UInt64 {
        let elapsed = now - origin
        let frame =
            elapsed / PeriodClock.second * sampleRate + elapsed % PeriodClock.second * sampleRate / PeriodClock.second
        return frame / period + 1
    }
}
