import Configuration
import FoundationEssentials
import Glibc
import PixelBoopClient
import SystemSupport

/// The folder of a project.
struct ProjectFolder {
    let project: Project
    let environment: [String: String]

    /// Creates the project's folder and that of its socket, if they are missing.
    ///
    /// - Throws: ``Refusal``.
    func prepare(socketPath: String) throws(Refusal) {
        guard project.path.hasPrefix("/") else {
            throw Refusal(.createFailed, "\(project.path): expected an absolute path")
        }
        let name = project.clientID
        let allowed = DaemonTable().clientName
        guard allowed.allows(name) else {
            throw Refusal(.general, "client id: expected \(allowed.row.expectation), got \(name)")
        }
        let isNew = !FileManager.default.fileExists(atPath: "\(project.path)/state")
        try make(project.path)
        try make(
            URL(filePath: socketPath).deletingLastPathComponent().path(percentEncoded: false),
            attributes: [.posixPermissions: 0o700])
        if isNew { linkKits() }
    }

    /// - Parameter attributes: Permissions here apply whatever the umask; without them it decides.
    private func make(_ folder: String, attributes: [FileAttributeKey: Any]? = nil) throws(Refusal) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: attributes)
        } catch {
            throw Refusal(.createFailed, "cannot create \(folder): \(error)")
        }
    }

    /// Links the user's sample kits into the project; `tar -h` replaces the link with the files.
    private func linkKits() {
        // If the configuration is wrong, the daemon will say so and not start.
        guard let kits = try? DaemonSettings.kitDirectory(environment: environment) else { return }
        // An existing file of that name belongs to the project.
        _ = symlink(kits, "\(project.path)/kits")
    }
}

/// A second name for a session's socket: the session's name, by which people know it.
struct SocketName {
    private let path: String
    private let socketPath: String

    /// Links the socket under a second name; nil if another session has it, or if it is too long for a socket's path.
    init?(_ name: String, for socketPath: String, environment: [String: String]) {
        path = SocketPath.session(name, environment: environment)
        self.socketPath = socketPath
        guard !name.isEmpty, path != socketPath, UnixAddress(path: path) != nil else { return nil }
        // A link that a crash left behind is dangling.
        if target == socketPath || access(path, F_OK) != 0 { unlink(path) }
        guard symlink(socketPath, path) == 0 else { return nil }
    }

    /// Removes the name, if it is still the socket's.
    func remove() {
        if target == socketPath { unlink(path) }
    }

    private var target: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }
}
