import CJack
import Foundation
import Synchronization

/// A bare JACK client, in a process of its own, that measures how late it is woken. It does nothing that takes time, so
/// its delays are the machine's.
///
/// Every second it prints a line `WORST LATE`: the longest delay of a wake-up in µs, and the number of delays of more
/// than half a period.
enum WakeWatch {
    /// Its JACK client name, which the server's messages use.
    static let clientName = "soak-watch"

    /// The callback's counters; allocated once and never freed.
    private struct Counts: ~Copyable {
        let client: OpaquePointer
        let halfPeriod: UInt64
        let worst = Atomic<UInt64>(0)
        let late = Atomic<Int>(0)
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
        while true {
            sleep(1)
            print(
                counts.pointee.worst.exchange(0, ordering: .relaxed),
                counts.pointee.late.exchange(0, ordering: .relaxed))
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
}

/// What a ``WakeWatch`` printed to a file.
struct WakeLog {
    /// The machine's punctuality over some seconds.
    struct Figures {
        /// The longest delay of a wake-up in µs.
        var worst = 0
        /// Wake-ups that were late by more than half a period.
        var late = 0

        static func += (sum: inout Figures, more: Figures) {
            sum.worst = max(sum.worst, more.worst)
            sum.late += more.late
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
            guard numbers.count == 2 else { return }
            figures += Figures(worst: numbers[0], late: numbers[1])
        }
    }
}
