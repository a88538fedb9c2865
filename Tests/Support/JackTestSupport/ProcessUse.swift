import Foundation

/// The system resources that a process holds (proc(5)).
public struct ProcessUse: Sendable, CustomStringConvertible {
    /// Open file descriptors by their targets, without the numbers in names.
    public var descriptorKinds: [String: Int]
    /// The number of threads.
    public var threads: Int
    /// Resident memory in KiB.
    public var residentKilobytes: Int
    /// The part of it that is neither a file's nor shared: JACK's and programs' is counted as resident, too.
    public var ownKilobytes: Int

    /// The number of open file descriptors.
    public var descriptors: Int { descriptorKinds.values.reduce(0, +) }

    public init(descriptorKinds: [String: Int], threads: Int, residentKilobytes: Int, ownKilobytes: Int = 0) {
        self.descriptorKinds = descriptorKinds
        self.threads = threads
        self.residentKilobytes = residentKilobytes
        self.ownKilobytes = ownKilobytes
    }

    /// What a process holds now; nothing if it is gone.
    public init(of process: pid_t) {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        func number(_ key: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        let folder = "/proc/\(process)/fd"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // One that was closed meanwhile no longer has a name.
        let names = files.compactMap { file in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
                .replacing(" (deleted)", with: "").filter { !$0.isNumber }
        }
        self.init(
            descriptorKinds: Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +), threads: number("Threads"),
            residentKilobytes: number("VmRSS"), ownKilobytes: number("RssAnon"))
    }

    /// For a log.
    public var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(residentKilobytes) KiB"
    }
}
