import CLinux
import Glibc

/// Lets one thread sleep until another wakes it or a time is up: an eventfd.
///
/// The timed waits of libdispatch follow the wall clock on Linux, and last hours longer when that is set back by hours.
public final class WakeUp: Sendable {
    /// The signalling end: a plain value that JACK's callbacks can hold. Valid for as long as its `WakeUp`.
    public struct Descriptor: Sendable {
        fileprivate let rawValue: Int32

        /// Wakes the waiting thread, or keeps it from falling asleep.
        public func signal() {
            var one: UInt64 = 1
            // It can only fail for a counter that is full, and then a wake-up is pending anyway.
            _ = write(rawValue, &one, MemoryLayout<UInt64>.size)
        }
    }

    /// The signalling end.
    public let descriptor: Descriptor

    /// A wake-up that is not pending; nil, with the reason in `errno`, if the system has no descriptor for it.
    public init?() {
        let fd = clinux_eventfd()
        guard fd >= 0 else { return nil }
        descriptor = Descriptor(rawValue: fd)
    }

    deinit {
        close(descriptor.rawValue)
    }

    /// Wakes the waiting thread.
    public func signal() {
        descriptor.signal()
    }

    /// Sleeps until it is signalled or the time is up; nil waits forever.
    public func wait(atMost duration: Duration?) {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, duration.map(Self.milliseconds) ?? -1) > 0 {
            var count: UInt64 = 0
            _ = read(descriptor.rawValue, &count, MemoryLayout<UInt64>.size)
        }
    }

    /// Rounded up, so that a wait does not end just before the deadline.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
