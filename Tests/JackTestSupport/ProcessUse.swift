import Foundation

/// What a process holds of the system (proc(5)).
public struct ProcessUse: Sendable, CustomStringConvertible {
    /// Open file descriptors by what they are open for, numbers in names left out.
    public var descriptorKinds: [String: Int]
    /// Threads.
    public var threads: Int
    /// Resident memory in KiB.
    public var residentKilobytes: Int

    /// Open file descriptors.
    public var descriptors: Int { descriptorKinds.values.reduce(0, +) }

    /// What a process might hold.
    public init(descriptorKinds: [String: Int], threads: Int, residentKilobytes: Int) {
        self.descriptorKinds = descriptorKinds
        self.threads = threads
        self.residentKilobytes = residentKilobytes
    }

    /// What a process holds at present, nothing when it is gone.
    public init(of process: pid_t) {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        func number(_ key: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        let folder = "/proc/\(process)/fd"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // One that was closed meanwhile has no name any more.
        let names = files.compactMap { file in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
                .replacing(" (deleted)", with: "").filter { !$0.isNumber }
        }
        self.init(
            descriptorKinds: Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +), threads: number("Threads"),
            residentKilobytes: number("VmRSS"))
    }

    /// For a log.
    public var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) KiB"
    }
}
