import Foundation

/// What a process holds of the system.
public struct ProcessUse: Sendable, CustomStringConvertible {
    /// Open file descriptors.
    public var descriptors: Int
    /// Threads.
    public var threads: Int
    /// Resident memory in KiB.
    public var residentKilobytes: Int

    /// What this process holds at present.
    public static var current: ProcessUse { ProcessUse(of: "self") }

    /// What a process holds at present.
    public init(of process: pid_t) { self.init(of: "\(process)") }

    private init(of process: String) {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        func number(_ key: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
        threads = number("Threads")
        residentKilobytes = number("VmRSS")
    }

    /// For a log.
    public var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) KiB"
    }
}
