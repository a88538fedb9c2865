extension Check {
    /// Who may use the control socket.
    static let socket = Check(name: "socket") { seen in
        guard let socket = seen.socket, socket.isSocket else { return .none("there is none") }
        let mode = String(socket.mode & 0o777, radix: 8)
        guard socket.mode & 0o006 == 0 else {
            return .fault("everybody may connect (\(mode))", remedy: "restart the daemon, which sets it right")
        }
        let group = socket.mode & 0o060 == 0 ? "" : ", and the group \(socket.group)"
        return .well("\(socket.owner) and root may connect\(group) (\(mode))")
    }
}
