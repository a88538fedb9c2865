import Configuration
import FoundationEssentials
import Glibc
import SystemSupport
import Systemd

/// What /proc shows of a process (proc(5)), as far as this user may read it.
struct ProcessFiles {
    private let folder: String

    /// The daemon that listens at a control socket; nil if it cannot be found.
    init?(listeningAt path: String) {
        guard let process = Self.listener(at: path) else { return nil }
        folder = "/proc/\(process)"
        // If systemd created the socket, the peer is systemd.
        guard text("comm") == "pixelboopd\n" else { return nil }
    }

    private static func listener(at path: String) -> Int32? {
        guard let address = UnixAddress(path: path) else { return nil }
        let probe = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return nil }
        defer { close(probe) }
        // The kernel's `struct ucred`: process, user and group.
        var credentials: [Int32] = [0, 0, 0]
        var size = socklen_t(12)
        guard address.withPointer({ connect(probe, $0, $1) }) == 0,
            getsockopt(probe, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0
        else { return nil }
        return isDaemon(credentials[0]) ? credentials[0] : onlyDaemon
    }

    private static func isDaemon(_ process: Int32) -> Bool {
        KernelFile.text("/proc/\(process)/comm") == "pixelboopd\n"
    }

    /// The only daemon of this machine; nil if there are several.
    private static var onlyDaemon: Int32? {
        let daemons = numbers.filter(isDaemon)
        return daemons.count == 1 ? daemons.first : nil
    }

    private static var numbers: [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    }

    /// The names of all running programs.
    static var names: Set<String> {
        Set(
            numbers.compactMap { KernelFile.text("/proc/\($0)/comm") }
                .map { String($0.prefix { $0 != "\n" }) })
    }

    private func text(_ file: String) -> String? { KernelFile.text("\(folder)/\(file)") }

    var rights: SchedulingRights {
        SchedulingRights(
            limits: text("limits") ?? "", isPrivileged: SchedulingRights.isPrivileged(status: text("status") ?? ""))
    }

    /// Whether one of its threads runs in real time; nil if its threads cannot be listed.
    var hasRealTimeThread: Bool? {
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task") else { return nil }
        return threads.contains { thread in
            // Field 41 is the policy. Field 3 is the first one behind the name, which is in parentheses.
            let fields = text("task/\(thread)/stat")?.split(separator: ")").last?.split(separator: " ")
            return fields.map { $0.count > 38 && ["1", "2"].contains($0[38]) } == true
        }
    }

    /// Whether its libjack is PipeWire's; nil if its libraries cannot be read, or it has not loaded one yet.
    var usesPipeWire: Bool? {
        guard let library = text("maps")?.split(separator: "\n").first(where: { $0.contains("/libjack") }) else {
            return nil
        }
        return library.contains("pipewire")
    }

    /// The options that it was started with, as far as they have a value.
    var options: [(name: String, value: String)] {
        let words = (text("cmdline") ?? "").split(separator: "\0").map(String.init)
        let known = ["config"] + DaemonTable.rows.filter { $0.shape == .single }.map(\.name)
        return words.indices.compactMap { index in
            let parts = words[index].split(separator: "=", maxSplits: 1)
            guard let first = parts.first, first.hasPrefix("--"), known.contains(String(first.dropFirst(2))) else {
                return nil
            }
            let value = parts.count == 2 ? String(parts[1]) : words[(index + 1)...].first
            return value.map { (String(first.dropFirst(2)), $0) }
        }
    }

    /// Its environment; nil if it cannot be read.
    var environment: [String: String]? {
        text("environ").map { variables in
            let pairs = variables.split(separator: "\0").compactMap { variable in
                variable.firstIndex(of: "=").map { (String(variable[..<$0]), String(variable[$0...].dropFirst())) }
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    var workingDirectory: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/cwd") }
}

extension SchedulingRights {
    /// Rights from the text of `/proc/PID/limits`: a line for each limit, its name first, then the soft limit.
    init(limits: String, isPrivileged: Bool) {
        func soft(_ name: String) -> Substring? {
            let line = limits.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.dropFirst(name.count).split(separator: " ").first
        }
        self.init(
            realTimePriority: soft("Max realtime priority").flatMap { UInt64($0) } ?? 99,
            lockedMemory: soft("Max locked memory").flatMap { UInt64($0) }, isPrivileged: isPrivileged)
    }
}

/// Connects only to see whether a connection can be made.
enum TCPProbe {
    /// Seconds to wait for an answer.
    private static let patience = 2

    /// Why an address cannot be connected to; nil if it can.
    static func refusal(of place: ListenAddress) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(place.address, String(place.port), &hints, &found) == 0, let found else {
            return "no address"
        }
        defer { freeaddrinfo(found) }
        let probe = socket(found.pointee.ai_family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return String(cString: strerror(errno)) }
        defer { close(probe) }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        // This limits connecting, too (socket(7)).
        setsockopt(probe, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
        guard connect(probe, found.pointee.ai_addr, found.pointee.ai_addrlen) != 0 else { return nil }
        return String(cString: strerror(errno))
    }
}
