import CJack
import CLinux
import Foundation
import Synchronization

/// A bare JACK client, in a process of its own, that measures how late it is woken. It does nothing that takes time, so
/// its delays are the machine's. Beside it a thread on each processor wakes four times a period, before all others: a
/// hypervisor may halt one processor and not the one that the client is on.
///
/// Every second it prints a line `WORST LATE HALT`: the client's longest delay in µs, the number of its delays of more than
/// half a period, and the longest delay on any processor in µs.
enum WakeWatch {
    /// Its JACK client name, which the server's messages use.
    static let clientName = "soak-watch"

    /// The counters; allocated once and never freed.
    private struct Counts: ~Copyable {
        let client: OpaquePointer
        /// In µs.
        let halfPeriod: UInt64
        let worst = Atomic<UInt64>(0)
        let late = Atomic<Int>(0)
        let halt = Atomic<UInt64>(0)
    }

    struct Failure: Error {}

    /// Watches until the server or the parent goes away.
    static func run(on server: String) throws -> Never {
        var status = JackStatus(0)
        guard let client = cjack_client_open(clientName, server, JackNoStartServer, &status) else { throw Failure() }
        let half = 500_000 * UInt64(jack_get_buffer_size(client)) / UInt64(jack_get_sample_rate(client))
        let counts = UnsafeMutablePointer<Counts>.allocate(capacity: 1)
        counts.initialize(to: Counts(client: client, halfPeriod: half))
        jack_set_process_callback(client, measure, counts)
        jack_on_info_shutdown(client, { _, _, _ in _exit(0) }, nil)
        guard jack_activate(client) == 0 else { throw Failure() }
        for processor in 0..<min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64) { try watch(processor, with: counts) }
        while true {
            sleep(1)
            print(
                counts.pointee.worst.exchange(0, ordering: .relaxed),
                counts.pointee.late.exchange(0, ordering: .relaxed),
                counts.pointee.halt.exchange(0, ordering: .relaxed))
            fflush(nil)
        }
    }

    private static let measure: JackProcessCallback = { _, context in
        guard let counts = context?.assumingMemoryBound(to: Counts.self) else { return 0 }
        var (frames, woken, next) = (jack_nframes_t(0), jack_time_t(0), jack_time_t(0))
        var length: Float = 0
        jack_get_cycle_times(counts.pointee.client, &frames, &woken, &next, &length)
        let time = jack_get_time()
        let delay = time > woken ? time - woken : 0
        counts.pointee.worst.max(delay, ordering: .relaxed)
        if delay > counts.pointee.halfPeriod { counts.pointee.late.add(1, ordering: .relaxed) }
        return 0
    }

    /// Starts the thread of a processor. Without the right to real-time scheduling it competes with all other threads.
    private static func watch(_ processor: Int, with counts: UnsafeMutablePointer<Counts>) throws {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, wake, counts) == 0 else { throw Failure() }
        var processors = cpu_set_t()
        processors.__bits.0 = 1 << processor
        guard pthread_setaffinity_np(thread, MemoryLayout.size(ofValue: processors), &processors) == 0 else {
            throw Failure()
        }
        var parameters = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
        pthread_setschedparam(thread, SCHED_FIFO, &parameters)
    }

    private static let wake: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        let counts = context!.assumingMemoryBound(to: Counts.self)
        let interval = counts.pointee.halfPeriod / 2
        var due = jack_get_time() + interval
        while true {
            var rest = timespec(tv_sec: 0, tv_nsec: 1000 * Int(due - min(due, jack_get_time())))
            nanosleep(&rest, nil)
            let time = jack_get_time()
            counts.pointee.halt.max(time - min(due, time), ordering: .relaxed)
            due = max(due, time) + interval
        }
    }
}

/// What a ``WakeWatch`` printed to a file.
struct WakeLog {
    /// The machine's punctuality over some seconds.
    struct Figures {
        /// The client's longest delay in µs.
        var worst = 0
        /// How often it was late by more than half a period.
        var late = 0
        /// How long a processor stood still at worst, in µs.
        var halt = 0

        static func += (sum: inout Figures, more: Figures) {
            sum.worst = max(sum.worst, more.worst)
            sum.late += more.late
            sum.halt = max(sum.halt, more.halt)
        }
    }

    private var log: GrowingFile

    init(path: String) {
        log = GrowingFile(path: path)
    }

    /// The figures since the last call.
    mutating func read() -> Figures {
        log.newLines().reduce(into: Figures()) { figures, line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { return }
            figures += Figures(worst: numbers[0], late: numbers[1], halt: numbers[2])
        }
    }
}
