import Configuration
import FoundationEssentials
import Glibc
import PixelBoopClient
import SystemSupport
import Systemd

extension Examination {
    /// Examines the daemon that commands would connect to, and the machine.
    static func gather(_ connection: ConnectionOptions) async -> Examination {
        let (path, place) = (connection.path, connection.place)
        let process = ProcessFiles(listeningAt: path)
        var seen = Examination(place: place, isSystem: connection.isSystem, daemon: await answers(connection))
        seen.isShutOut = access(SocketPath.system, F_OK) != 0 && errno == EACCES
        seen.process = process.map { Process($0) }
        seen.socket = Socket(path)
        seen.servers = ProcessFiles.names.intersection(["jackd", "jackdbus", "pipewire"])
        seen.readConfiguration(of: process, isSystem: seen.isSystem)
        let system = RunningGateway.all(environment: [:])
        seen.gateways = RunningGateway.all().compactMap { Gateway($0, isSystem: system.contains($0)) }
        return seen
    }

    private static func answers(_ connection: ConnectionOptions) async -> Result<Daemon, ClientError> {
        do {
            return .success(
                try await connection.withClient { client in
                    Daemon(
                        version: client.welcome.version, state: try await client.state().state,
                        statistics: try await client.statistics(), ports: try? await client.ports(),
                        takes: try? await client.takes())
                })
        } catch let error as ClientError {
            return .failure(error)
        } catch {
            return .failure(.connectionLost(reason: "\(error)"))
        }
    }

    /// Finds the daemon's folders from its configuration and its flags.
    private mutating func readConfiguration(of process: ProcessFiles?, isSystem: Bool) {
        var environment = ProcessInfo.processInfo.environment.merging(process?.environment ?? [:]) { $1 }
        if isSystem {
            // As the system's unit sets them.
            environment = [
                "CONFIGURATION_DIRECTORY": "/etc/pixelboop", "STATE_DIRECTORY": "/var/lib/pixelboop",
                "RUNTIME_DIRECTORY": "/run/pixelboop", "XDG_DATA_HOME": "/var/lib",
            ]
        }
        var flags = ConfigurationFlags()
        for (name, value) in process?.options ?? [] {
            if name == "config" { flags.file = value } else { flags.values[name] = value }
        }
        let sources = ConfigurationSources(
            flags: flags, environment: environment,
            workingDirectory: process?.workingDirectory ?? FileManager.default.currentDirectoryPath)
        do {
            let settings = try LoadedConfiguration<DaemonTable>(sources).settings
            folders = [Folder("state", settings.stateDirectory), Folder("data", settings.dataDirectory)]
        } catch {
            configurationErrors = error.problems.map(\.description)
        }
    }
}

extension Examination.Process {
    fileprivate init(_ files: ProcessFiles) {
        self.init(rights: files.rights, hasRealTimeThread: files.hasRealTimeThread, usesPipeWire: files.usesPipeWire)
    }
}

extension Examination.Socket {
    fileprivate init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
        self.init(
            isSocket: status.st_mode & S_IFMT == S_IFSOCK, mode: status.st_mode, owner: owner ?? "\(status.st_uid)",
            group: Self.group(status.st_gid), folders: Self.folders(above: path))
    }

    private static func group(_ identifier: gid_t) -> String {
        getgrgid(identifier).map { String(cString: $0.pointee.gr_name) } ?? "\(identifier)"
    }

    /// The folders above a path, without links.
    private static func folders(above path: String) -> [SocketPlace] {
        guard let slash = path.lastIndex(of: "/") else { return folders(above: "./\(path)") }
        guard let real = withoutLinks(String(path[...slash])) else { return [] }
        let names = real.split(separator: "/")
        return (0...names.count).compactMap { count in
            var status = stat()
            guard stat("/" + names.prefix(count).joined(separator: "/"), &status) == 0 else { return nil }
            return SocketPlace(mode: status.st_mode, group: group(status.st_gid))
        }
    }
}

extension Examination.Folder {
    /// A folder; if it does not exist yet, the figures are those of the nearest existing parent.
    init(_ name: String, _ path: String) {
        self.init(name: name, path: path)
        var existing = path
        var system = statvfs()
        while statvfs(existing, &system) != 0 {
            guard errno == ENOENT, existing != "/", let slash = existing.lastIndex(of: "/") else { return }
            existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
        }
        freeBytes = Int(clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).0)
        isReadOnly = system.f_flag & UInt(ST_RDONLY) != 0
    }
}

extension Examination.Gateway {
    /// Connects to a gateway's first address, as a browser on this machine would.
    init?(_ gateway: RunningGateway, isSystem: Bool) {
        guard var listening = gateway.addresses.first else { return nil }
        let isLocal = gateway.addresses.allSatisfy { $0.address.hasPrefix("127.") || $0.address == "::1" }
        if listening.address == "0.0.0.0" { listening.address = "127.0.0.1" }
        if listening.address == "::" { listening.address = "::1" }
        self.init(
            address: listening.text, isSystem: isSystem, isLocal: isLocal, refusal: TCPProbe.refusal(of: listening))
    }
}
