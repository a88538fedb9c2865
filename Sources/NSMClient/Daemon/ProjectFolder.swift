import Configuration
import FoundationEssentials
import Glibc
import PixelBoopClient

/// What a daemon finds when a project is opened.
struct ProjectFolder {
    let project: Project
    let environment: [String: String]

    /// Makes the project's folder, unless it is there, and that of its socket.
    ///
    /// - Throws: ``Refusal``: what the manager asks for cannot be done.
    func prepare(socketPath: String) throws(Refusal) {
        guard project.path.hasPrefix("/") else {
            throw Refusal(.createFailed, "\(project.path): an absolute path is wanted")
        }
        let name = project.clientID
        let allowed = DaemonTable().clientName
        guard allowed.allows(name) else {
            throw Refusal(.general, "client id \(name): \(allowed.row.expectation) is wanted")
        }
        let isNew = !FileManager.default.fileExists(atPath: "\(project.path)/state")
        try make(project.path, mode: 0o777)
        try make(URL(filePath: socketPath).deletingLastPathComponent().path(percentEncoded: false), mode: 0o700)
        if isNew { linkKits() }
    }

    /// The umask, too, has its say.
    private func make(_ folder: String, mode: Int) throws(Refusal) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
        } catch {
            throw Refusal(.createFailed, "cannot make \(folder): \(error)")
        }
    }

    /// Gives the project the user's kits of samples by a link, which `tar -h` replaces by the files themselves.
    private func linkKits() {
        guard let data = BaseDirectories(environment: environment).data else { return }
        // Where there is something of that name already, it is the project's.
        _ = symlink("\(data)/kits", "\(project.path)/kits")
    }
}

/// A second name for a session's socket: that of the session, which people know it by.
struct SocketName {
    private let path: String
    private let socketPath: String

    /// Gives the socket its second name; nil when another session has it.
    init?(_ name: String, for socketPath: String, environment: [String: String]) {
        path = SocketPath.session(name, environment: environment)
        self.socketPath = socketPath
        guard !name.isEmpty, path != socketPath else { return nil }
        // What a crash left behind leads nowhere.
        if target == socketPath || access(path, F_OK) != 0 { unlink(path) }
        guard symlink(socketPath, path) == 0 else { return nil }
    }

    /// Takes the name away, if it is still the socket's.
    func remove() {
        if target == socketPath { unlink(path) }
    }

    private var target: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }
}
