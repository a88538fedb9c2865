import Instrument
import Music
import PixelBoopClient
import Systemd
import Wire

/// One thing that `pixelboop doctor` checks. To add one, define it below and list it in ``all``.
struct Check: Sendable {
    let name: String
    let look: @Sendable (Examination) -> Verdict

    /// All checks, each after those that it depends on.
    static let all: [Check] = [
        .daemon, .version, .configuration, .socket, .rights, .server, .scheduling, .ports, .xruns, .load, .saving,
        .takes, .disk, .gateway,
    ]
}

enum Verdict: Equatable, Sendable {
    case well(String)
    /// Something is wrong; the remedy is one line.
    case fault(String, remedy: String)
    /// Why it could not be checked.
    case unknown(String)
    /// There is nothing to check.
    case none(String)
}

extension Check {
    static let daemon = Check(name: "daemon") { seen in
        switch seen.daemon {
        case .success(let daemon):
            let uptime = daemon.statistics.map { ", up \(Int($0.uptime)) s" } ?? ""
            return .well("pixelboopd \(daemon.version) at \(seen.place)\(uptime)")
        case .failure(.noDaemon(let path, let reason)) where seen.socket.map { !$0.isSocket } == true:
            return .fault("\(path) is not a socket (\(reason))", remedy: "remove it, and start pixelboopd")
        case .failure(.noDaemon(let path, "Permission denied")):
            return .fault(
                "the daemon at \(path) does not let this user in",
                remedy: "run as its user, or set its socket-group to a group of yours; then log in again")
        case .failure(.noDaemon(let path, let reason)):
            let system = seen.isShutOut ? "; for the system's daemon join its socket-group and log in again" : ""
            return .fault(
                "none at \(path) (\(reason))",
                remedy: """
                    \(seen.unit.systemctl("start")), or pixelboopd; or name its socket with --socket\(system)
                    """)
        case .failure(.protocolViolation(let what)):
            return .fault("it does not speak this protocol: \(what)", remedy: "use programs of the same version")
        case .failure(.refused(let refusal)) where refusal.code == .tooManyClients:
            return .fault(
                "it accepts no more clients: \(refusal)",
                remedy: "close some of them, or raise its max-clients and \(seen.unit.systemctl("reload"))")
        case .failure(let error):
            return .fault(
                "it does not answer: \(error)", remedy: "\(seen.unit.log); \(seen.unit.systemctl("restart"))")
        }
    }

    static let version = Check(name: "versions") { seen in
        guard let daemon = seen.answers else { return .none("pixelboop \(seen.version)") }
        guard daemon.version == seen.version else {
            return .fault(
                "pixelboop \(seen.version), pixelboopd \(daemon.version)",
                remedy: "restart the daemon when the music allows it: \(seen.unit.systemctl("restart"))")
        }
        return .well("\(seen.version), protocol \(ControlProtocol.version)")
    }

    /// Whether the daemon would start with its configuration.
    static let configuration = Check(name: "configuration") { seen in
        guard !seen.configurationErrors.isEmpty else { return .well("is valid") }
        let file = seen.isSystem ? " --config /etc/pixelboop/pixelboopd.toml" : ""
        return .fault(
            seen.configurationErrors.joined(separator: "; "),
            remedy: "change it until pixelboopd\(file) --check-config accepts it")
    }
}

extension Examination {
    fileprivate var unit: ServiceUnit { ServiceUnit(name: "pixelboopd", isSystem: isSystem) }

    /// A remedy. The internal driver's period is the daemon's setting, other periods are the server's.
    fileprivate var longerPeriod: String { "a longer period" + (isInternal ? " (the daemon's setting period)" : "") }
}

extension Examination.Gateway {
    fileprivate var unit: ServiceUnit { ServiceUnit(name: "pixelboop-web", isSystem: isSystem) }
}

extension Check {
    /// Who may use the control socket.
    static let socket = Check(name: "socket") { seen in
        guard let socket = seen.socket, socket.isSocket else { return .none("there is none") }
        let mode = String(socket.mode & 0o777, radix: 8)
        guard !socket.admitsEveryone else {
            return .fault("everyone may connect (\(mode))", remedy: "restart the daemon, which corrects it")
        }
        let group = socket.admitsGroup ? ", and the group \(socket.group)" : ""
        let owner = socket.owner == "root" ? "" : "\(socket.owner) and "
        return .well("\(owner)root may connect\(group) (\(mode))")
    }
}

extension Check {
    /// Whether the limits allow real-time scheduling and locked memory.
    static let rights = Check(name: "rights") { seen in
        let rights = seen.process?.rights ?? seen.shell
        let whose = seen.process == nil ? " (of this shell)" : ""
        guard rights.isEnough else {
            return .fault(
                rights.limits + whose,
                remedy: """
                    limits for the group audio, and LimitRTPRIO=95 and LimitMEMLOCK=infinity for user@.service; then log in \
                    again (install.md, Real-time rights)
                    """)
        }
        return .well(rights.limits + whose)
    }

    static let scheduling = Check(name: "audio thread") { seen in
        guard seen.audio?.status == .running else { return .none("there is none without sound") }
        guard let isRealTime = seen.process?.hasRealTimeThread else {
            return .unknown("the daemon's process cannot be examined")
        }
        guard isRealTime else {
            return .fault(
                "runs without real-time priority",
                remedy: seen.isInternal
                    ? "the rights above, then \(seen.unit.systemctl("restart"))"
                    : "jackd -R with the rights above; for PipeWire install rtkit")
        }
        return .well("runs in real time")
    }
}

extension Check {
    /// Which driver calls the daemon for sound, at which rate and period.
    static let server = Check(name: "sound") { seen in
        let names = seen.servers.sorted().joined(separator: ", ")
        let servers = names.isEmpty ? "no JACK server runs" : "runs: \(names)"
        guard let audio = seen.audio else { return .none(servers) }
        guard audio.status != .running else { return .well(audio.description(of: seen.process)) }
        let remedy =
            if seen.isInternal {
                "\(seen.unit.log); \(seen.unit.systemctl("restart"))"
            } else if seen.servers.contains(where: { $0.hasPrefix("jackd") }) {
                "start jackd as the daemon's user, with the name set by jack-server; or pixelboopd --driver internal"
            } else if seen.servers.contains("pipewire") {
                """
                install pipewire-jack, and start the daemon by pw-jack pixelboopd, or its unit as in install.md, JACK and \
                PipeWire; or pixelboopd --driver internal
                """
            } else {
                "start JACK, as by jackd -d alsa, and the daemon joins it; or pixelboopd --driver internal"
            }
        return .fault("\(audio.inWords) (\(servers))", remedy: remedy)
    }

    static let ports = Check(name: "ports") { seen in
        guard let audio = seen.audio, audio.status == .running else {
            return .none("there are none without sound")
        }
        guard audio.driver == .jack else { return .none("the internal driver has none: pixelboop listen") }
        guard let ports = seen.answers?.ports else { return .unknown("the daemon is too old to report its ports") }
        let connected = ports.filter { !$0.connections.isEmpty }
        let words = connected.map { "\($0.name) to \($0.connections.joined(separator: " and "))" }
        let isHeard = connected.contains { !["midi_in", "midi_out", "clock_out"].contains($0.name) }
        guard isHeard else {
            let remedy =
                if seen.process?.usesPipeWire == true {
                    "connect main_L and main_R to the speakers, by qpwgraph or pw-jack jack_connect"
                } else {
                    (seen.isSystem ? "sudo -u pixelboop " : "")
                        + "jack_connect pixelboop:main_L system:playback_1, and main_R to playback_2"
                }
            return .fault(
                "no audio port is connected" + (words.isEmpty ? "" : "; \(words.joined(separator: ", "))"),
                remedy: "\(remedy); it is remembered")
        }
        return .well(words.joined(separator: ", "))
    }

    /// Whether there were xruns lately.
    static let xruns = Check(name: "xruns") { seen in
        guard let audio = seen.answers?.statistics?.audio else { return .none("no daemon counts them") }
        guard audio.xrunsLastHour == 0 else {
            return .fault(
                "\(audio.xrunsLastHour) in the last hour, \(audio.xruns) since the start",
                remedy: "\(seen.longerPeriod), the rights above, or cpupower frequency-set -g performance")
        }
        return .well("none in the last hour, \(audio.xruns) since the start")
    }

    /// Whether the callback leaves enough time for other programs.
    static let load = Check(name: "load") { seen in
        guard let audio = seen.answers?.statistics?.audio, audio.state.status == .running else {
            return .none("there is none without sound")
        }
        let words = "\((audio.load * 100).inWords) % of each period, at worst \(audio.worst.inWords) us"
        guard audio.load < 0.7 else {
            return .fault(words, remedy: "\(seen.longerPeriod), or a faster machine; end other programs")
        }
        return .well(words)
    }
}

extension AudioState {
    /// `JACK, 48000 Hz, 128 frames a period (2.67 ms)`
    fileprivate func description(of process: Examination.Process?) -> String {
        let name =
            switch (driver, process?.usesPipeWire) {
            case (.own, _): "internal driver"
            case (.jack, true?): "PipeWire"
            case (.jack, false?): "JACK"
            case (.jack, nil): "JACK or PipeWire"
            }
        guard let rate, let period else { return name }
        return "\(name), \(rate) Hz, \(period) frames a period (\((Double(period) * 1000 / Double(rate)).inWords) ms)"
    }
}

extension Check {
    /// Whether edits reach the disk.
    static let saving = Check(name: "saving") { seen in
        guard let storage = seen.answers?.state.storage else { return .none("no daemon runs") }
        guard storage.status == .running else {
            return .fault(
                "the session cannot be saved: \(storage.reason)",
                remedy: "make room or the folder writable: saving resumes by itself; until then do not stop the daemon")
        }
        return .well("every edit is on disk")
    }

    /// Whether performances are kept.
    static let takes = Check(name: "takes") { seen in
        guard let daemon = seen.answers else { return .none("no daemon runs") }
        guard let list = daemon.takes else { return .none("this daemon keeps none") }
        let words = list.summary
        switch list.status {
        case .keeping: return .well(words)
        case .off: return .none("switched off (takes-keep); \(words)")
        case .stopped:
            return .fault(
                "none are kept: \(list.reason ?? ""); \(words)",
                remedy: """
                    make room on the disk, delete takes or raise takes-size; the next performance is then kept by itself
                    """)
        }
    }

    /// Whether there is room for session and library.
    static let disk = Check(name: "disk") { seen in
        guard !seen.folders.isEmpty else { return .unknown("the folders are not known") }
        let words = seen.folders.map { folder in
            let room = folder.freeBytes.map { "\($0 >> 20) MiB free" } ?? "cannot be examined"
            return "\(folder.name) \(folder.path): \(folder.isReadOnly ? "read-only" : room)"
        }.joined(separator: "; ")
        if let folder = seen.folders.first(where: { $0.isReadOnly }) {
            return .fault(words, remedy: "mount -o remount,rw, or another \(folder.setting)")
        }
        if let folder = seen.folders.first(where: { $0.freeBytes.map { $0 < Examination.Folder.leastRoom } == true }) {
            return .fault(words, remedy: "make room: 16 MiB at least, or another \(folder.setting)")
        }
        return seen.folders.allSatisfy { $0.freeBytes != nil } ? .well(words) : .unknown(words)
    }
}

extension TakeList {
    /// `12 takes, 3 of them starred, 1 not exact, 4 MiB`
    fileprivate var summary: String {
        func number(_ condition: (ListedTake) -> Bool, _ words: String) -> String? {
            let count = takes.count(where: condition)
            return count == 0 ? nil : "\(count) \(words)"
        }
        let kibibytes = takes.reduce(0) { $0 + $1.size } >> 10
        let size = kibibytes < 1024 ? "\(kibibytes) KiB" : "\(kibibytes >> 10) MiB"
        let parts = [
            "\(takes.count) take\(takes.count == 1 ? "" : "s")", number(\.isStarred, "of them starred"),
            number({ !$0.isExact }, "not exact"), size,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension Examination.Folder {
    /// Bytes: room for the session, a few MiB with its log, and a library.
    static let leastRoom = 16 << 20

    fileprivate var setting: String { "\(name)-dir" }
}

extension Check {
    /// Whether the page is served.
    static let gateway = Check(name: "gateway") { seen in
        guard !seen.gateways.isEmpty else {
            return .none("none runs; pixelboop-web serves the page, pixelboop-web --lan also to a tablet")
        }
        if let silent = seen.gateways.first(where: { $0.refusal != nil }) {
            return .fault(
                "does not answer at \(silent.address) (\(silent.refusal ?? ""))",
                remedy: "\(silent.unit.log); \(silent.unit.systemctl("restart"))")
        }
        let addresses = seen.gateways.map(\.address).joined(separator: ", ")
        let tablet =
            seen.gateways.allSatisfy(\.isLocal)
            ? "only on this machine; for a tablet pixelboop-web --lan, or lan = true in pixelboop-web.toml"
            : "from a tablet try the address of pixelboop-web --print-url"
        return .well("answers at \(addresses); \(tablet)")
    }
}
