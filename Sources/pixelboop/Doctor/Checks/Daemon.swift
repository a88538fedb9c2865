import PixelBoopClient
import Wire

extension Check {
    /// Whether a daemon answers, and which.
    static let daemon = Check(name: "daemon") { seen in
        switch seen.daemon {
        case .success(let daemon):
            let uptime = daemon.statistics.map { ", up \(Int($0.uptime)) s" } ?? ""
            return .well("pixelboopd \(daemon.version) at \(seen.place)\(uptime)")
        case .failure(.noDaemon(let path, let reason)) where seen.socket.map { !$0.isSocket } == true:
            return .fault("\(path) is no socket (\(reason))", remedy: "remove it, and start pixelboopd")
        case .failure(.noDaemon(let path, "Permission denied")):
            return .fault(
                "the daemon at \(path) does not let this user in",
                remedy: "run as its user, or set its socket-group to a group of yours")
        case .failure(.noDaemon(let path, let reason)):
            return .fault(
                "none at \(path) (\(reason))",
                remedy: "systemctl --user start pixelboopd, or pixelboopd; or say where it listens with --socket")
        case .failure(.protocolViolation(let what)):
            return .fault("it does not speak this protocol: \(what)", remedy: "use programs of the same version")
        case .failure(let error):
            return .fault("it does not answer: \(error)", remedy: "journalctl --user -u pixelboopd; restart it")
        }
    }

    /// Whether the programs are of one version.
    static let version = Check(name: "versions") { seen in
        guard let daemon = seen.answers else { return .none("pixelboop \(seen.version)") }
        guard daemon.version == seen.version else {
            return .fault(
                "pixelboop \(seen.version), pixelboopd \(daemon.version)",
                remedy: "restart the daemon when the music allows it: systemctl --user restart pixelboopd")
        }
        return .well("\(seen.version), protocol \(ControlProtocol.version)")
    }

    /// Whether the daemon would start with its configuration.
    static let configuration = Check(name: "configuration") { seen in
        guard !seen.configurationErrors.isEmpty else { return .well("is right") }
        return .fault(
            seen.configurationErrors.joined(separator: "; "),
            remedy: "mend it until pixelboopd --check-config is content")
    }
}
