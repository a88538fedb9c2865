import Foundation

/// What this process holds of the system.
public struct ProcessUse: Sendable, CustomStringConvertible {
    /// Open file descriptors.
    public var descriptors: Int
    /// Threads.
    public var threads: Int
    /// Resident memory in KiB.
    public var residentKilobytes: Int

    /// The present state.
    public static var current: ProcessUse {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func number(_ key: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        return ProcessUse(
            descriptors: descriptors, threads: number("Threads"), residentKilobytes: number("VmRSS"))
    }

    /// For a log.
    public var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) KiB"
    }
}
