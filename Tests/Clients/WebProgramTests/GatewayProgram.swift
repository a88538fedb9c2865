import TestSupport

extension ChildProgram {
    /// The built `pixelboop-web`, with its token in its directory.
    ///
    /// - Parameters:
    ///   - directory: Another gateway's directory, to share its token.
    ///   - flags: Flags besides those for socket, token and address.
    convenience init(
        gateway flags: [String] = [], socket: String = "/nowhere/control.sock", environment: [String: String] = [:],
        in directory: TemporaryDirectory? = nil
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        try self.init(
            .product("pixelboop-web"),
            ["--socket", socket, "--token-file", directory.file("web-token"), "--listen", "127.0.0.1:0"] + flags,
            environment: ["HOME": directory.path].merging(environment) { $1 }, in: directory)
    }

    /// Starts it, and waits until pages are served.
    ///
    /// - Returns: The port.
    func serve() async throws -> Int {
        try start()
        guard await says("listening on ") else { throw NotServing(log: log) }
        return log.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}

/// It ended before pages were served.
private struct NotServing: Error {
    let log: String
}
