import Foundation
import Synchronization

/// How much time the machine gave a thread that asks for it every half a millisecond. What it was late by, it may have withheld
/// from other programs too, so that a limit on what they do in time is a limit on this, not on the clock.
public final class GrantedTime: Sendable {
    private struct Tick {
        var instant: ContinuousClock.Instant
        /// Since the start.
        var granted: Duration
    }

    /// What a pause may last that counts in full.
    private static let punctual = Duration.milliseconds(2)

    private let ticks = Mutex([Tick(instant: .now, granted: .zero)])
    private let isEnded = Atomic(false)

    /// Begins to look.
    public init() {
        Thread { [self] in
            while !isEnded.load(ordering: .relaxed) {
                usleep(500)
                tick()
            }
        }.start()
    }

    /// Looks no more.
    public func end() { isEnded.store(true, ordering: .relaxed) }

    /// What was granted from one instant to another, neither before the start.
    public func between(_ start: ContinuousClock.Instant, _ end: ContinuousClock.Instant) -> Duration {
        tick()
        return ticks.withLock { ticks in
            func granted(at instant: ContinuousClock.Instant) -> Duration {
                let next = ticks.firstIndex { $0.instant >= instant } ?? ticks.endIndex - 1
                let last = ticks[max(0, next - 1)]
                return min(last.granted + min(instant - last.instant, Self.punctual), ticks[next].granted)
            }
            return max(.zero, granted(at: end) - granted(at: start))
        }
    }

    private func tick() {
        ticks.withLock { ticks in
            let (now, last) = (ContinuousClock.now, ticks[ticks.endIndex - 1])
            ticks.append(Tick(instant: now, granted: last.granted + min(now - last.instant, Self.punctual)))
        }
    }
}
