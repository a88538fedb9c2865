import CEpoll
import Glibc

/// Connections that are read through epoll as cheaply as possible.
final class Crowd {
    struct Harvest {
        var seconds: Double
        /// Lines by connection.
        var lines: [Int]
        var bytes: Int
    }

    private let descriptors: [CInt]
    private let poller = epoll_create1(0)
    /// Closed with this.
    private let sockets: [LineSocket]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(of count: Int, connect: () throws -> LineSocket) throws {
        sockets = try (0..<count).map { _ in try connect() }
        descriptors = sockets.map(\.descriptor)
        watch()
    }

    /// Sockets that are closed elsewhere.
    init(reading descriptors: [CInt]) {
        sockets = []
        self.descriptors = descriptors
        watch()
    }

    private func watch() {
        for (index, descriptor) in descriptors.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
        }
    }

    deinit { close(poller) }

    /// Reads whatever comes for a number of seconds.
    @discardableResult
    func read(for seconds: Double) -> Harvest {
        var harvest = Harvest(seconds: 0, lines: [Int](repeating: 0, count: descriptors.count), bytes: 0)
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        let start = monotonicSeconds()
        repeat {
            let count = epoll_wait(poller, &events, CInt(events.count), 10)
            for event in events.prefix(max(0, Int(count))) { read(Int(event.data.u64), into: &harvest) }
            harvest.seconds = monotonicSeconds() - start
        } while harvest.seconds < seconds
        return harvest
    }

    private func read(_ index: Int, into harvest: inout Harvest) {
        let count = recv(descriptors[index], &buffer, buffer.count, CInt(MSG_DONTWAIT))
        guard count > 0 else { return }
        harvest.bytes += count
        // A line contains only its final newline, which nearly always ends the bytes read.
        harvest.lines[index] += buffer.withUnsafeBytes { bytes in
            var (lines, place) = (0, 0)
            while let newline = memchr(bytes.baseAddress! + place, 10, count - place) {
                lines += 1
                place = bytes.baseAddress!.distance(to: newline) + 1
            }
            return lines
        }
    }
}
