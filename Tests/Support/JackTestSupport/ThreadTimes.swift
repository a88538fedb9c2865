import Foundation

/// The processor time that each thread of a process has used, in ns, with the threads' names.
public struct ThreadTimes: Sendable {
    private var threads: [pid_t: (name: String, nanoseconds: Double)] = [:]

    /// No threads.
    public init() {}

    /// The times of a process up to now.
    public init(of process: pid_t) throws {
        let folder = "/proc/\(process)/task"
        for thread in try FileManager.default.contentsOfDirectory(atPath: folder).compactMap({ pid_t($0) }) {
            // A thread that ended meanwhile no longer has files.
            guard let name = Self.read("\(folder)/\(thread)/comm"),
                let times = Self.read("\(folder)/\(thread)/schedstat"),
                let nanoseconds = times.split(separator: " ").first.flatMap({ Double($0) })
            else { continue }
            threads[thread] = (name, nanoseconds)
        }
    }

    /// What each thread used since an earlier reading, in ms, the busiest first; threads of the same name are added up.
    public func milliseconds(since earlier: ThreadTimes) -> [(name: String, milliseconds: Double)] {
        var sums: [String: Double] = [:]
        for (thread, now) in threads {
            sums[now.name, default: 0] += (now.nanoseconds - (earlier.threads[thread]?.nanoseconds ?? 0)) / 1e6
        }
        return sums.map { (name: $0.key, milliseconds: $0.value) }.sorted { $0.milliseconds > $1.milliseconds }
    }

    private static func read(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}
