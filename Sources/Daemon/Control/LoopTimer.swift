import NIOCore

/// Calls a function once, at the time that was set last; used on its event loop only.
///
/// A scheduled task alone would not do: one that the event loop has already picked for its current turn runs even if it
/// is cancelled. If it then set the next one there would be two, and more with each such coincidence.
final class LoopTimer {
    private let eventLoop: any EventLoop
    private let action: () -> Void
    private var time: Duration?
    private var scheduled: Scheduled<Void>?
    /// Incremented whenever the timer is set: a task with an earlier number must not run.
    private var number = 0

    /// A deadline that passes while the action runs waits this long: an event loop polls its sockets only when
    /// nothing is due.
    private static let pause = Duration.microseconds(200)

    /// A timer that is not set.
    init(on eventLoop: any EventLoop, _ action: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.action = action
    }

    /// Replaces the time, on the ``ControlClock``; nil for never.
    func set(to time: Duration?) {
        guard time != self.time else { return }
        scheduled?.cancel()
        self.time = time
        number += 1
        scheduled = time.map { time in
            let time = max(time, ControlClock.now + LoopTimer.pause)
            return eventLoop.assumeIsolated().scheduleTask(deadline: NIODeadline(time)) { [self, number] in
                fire(number)
            }
        }
    }

    private func fire(_ number: Int) {
        guard number == self.number else { return }
        (time, scheduled) = (nil, nil)
        action()
    }
}

/// The session's clock: the system's monotonic clock, which is also the event loop's.
public enum ControlClock {
    public static var now: Duration {
        .nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }
}

extension NIODeadline {
    /// The deadline at a time of the ``ControlClock``.
    init(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        self = .uptimeNanoseconds(UInt64(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
