import CannedDaemon
import DaemonTestSupport
import Foundation
import GatewayTestSupport
import JSON
import TestSupport
import Testing
import WebGateway
import Wire

@Suite(.timeLimit(.minutes(1)))
struct ProgramTests {
    private func page(_ port: Int, before daemon: CannedDaemon, token: String? = nil) async throws -> Browser {
        let browser = try Browser(port: port)
        try await browser.connect(origin: token == nil ? "http://localhost" : nil)
        if let token { try await browser.authenticate(token) }
        let peer = try await daemon.welcome()
        if let hello = try await peer.receive() { try await peer.answer(hello, .success(["remote": true])) }
        _ = try await browser.message()
        return browser
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `its manager and the pages are notified of the start and the stop`(signal: Int32)
        async throws
    {
        let (manager, daemon) = (try ManagerSocket(), try await CannedDaemon.start())
        let gateway = try ChildProgram(gateway: [], socket: daemon.path, environment: ["NOTIFY_SOCKET": manager.name])
        let port = try await gateway.serve()
        #expect(await manager.notice()?.hasPrefix("READY=1\nSTATUS=serving ") == true)
        let browser = try await page(port, before: daemon)
        async let end = gateway.end(with: signal)
        #expect(await manager.notice() == "STOPPING=1")
        #expect(try await browser.closing() == .ending)
        #expect(await end == 0)
    }

    @Test func `a new token made for a running gateway closes the pages with the old one`() async throws {
        let daemon = try await CannedDaemon.start()
        let gateway = try ChildProgram(gateway: [], socket: daemon.path)
        let port = try await gateway.serve()
        func token() throws -> String {
            String(decoding: try gateway.directory.read("web-token").dropLast(), as: UTF8.self)
        }
        let old = try token()
        let browser = try await page(port, before: daemon, token: old)
        let other = try ChildProgram(gateway: ["--new-token", "--listen", "192.0.2.1:8044"], in: gateway.directory)
        let (code, output, _) = try await other.run()
        #expect(code == 0)
        #expect(try output.contains("http://192.0.2.1:8044/#\(token())"))
        #expect(try token() != old)
        #expect(try await browser.closing() == .tokenReplaced)
        _ = try await page(port, before: daemon, token: token())
    }

    /// As with sudo, which has a home and a token of its own.
    @Test(.enabled(if: geteuid() == 0))
    func `root replaces the running gateway's token, and its owner can read it`() async throws {
        let nobody: uid_t = 65_534
        let gateway = try ChildProgram(gateway: ["--token"])
        let runtime = gateway.directory.path
        let running = try ChildProgram(
            gateway: ["--token"], environment: ["XDG_RUNTIME_DIR": runtime], in: gateway.directory)
        let port = try await running.serve()
        let path = gateway.directory.file("web-token")
        let notices = gateway.directory.file("pixelboop-web")
        let notice = try #require(FileManager.default.contentsOfDirectory(atPath: notices).first)
        for file in [runtime, path, notices, "\(notices)/\(notice)"] { #expect(chown(file, nobody, nobody) == 0) }
        let home = try TemporaryDirectory()
        func newToken() async throws -> (Int32, String, String) {
            let environment = ["HOME": home.path, "XDG_RUNTIME_DIR": runtime]
            return try await ChildProgram(
                .product("pixelboop-web"), ["--new-token"], environment: environment, in: home
            )
            .run()
        }
        let (code, output, log) = try await newToken()
        let token = String(decoding: try gateway.directory.read("web-token").dropLast(), as: UTF8.self)
        #expect(code == 0 && output == "http://localhost:\(port)/#\(token)\n", "\(log)")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_uid == nobody && status.st_mode & 0o777 == 0o600)
        #expect(try home.names.isEmpty)
        // What its user has written does not direct root.
        let own = home.file("own")
        try Data("root's".utf8).write(to: URL(filePath: own))
        let text = try String(contentsOfFile: "\(notices)/\(notice)", encoding: .utf8)
        try Data(text.replacing(path, with: own).utf8).write(to: URL(filePath: "\(notices)/\(notice)"))
        #expect(try await newToken().0 == 1)
        #expect(try String(decoding: home.read("own"), as: UTF8.self) == "root's")
    }

    @Test func `the address is printed with the token if one is needed`() async throws {
        let gateway = try ChildProgram(gateway: [])
        try gateway.directory.write(Token().text, to: "web-token")
        chmod(gateway.directory.file("web-token"), 0o600)
        let (code, output, log) = try await ChildProgram(
            gateway: ["--print-url", "--token"], in: gateway.directory
        ).run()
        #expect(code == 0)
        #expect(output.wholeMatch(of: /http:\/\/localhost:0\/#[0-9a-f]{32}\n/) != nil)
        #expect(log == "pixelboop-web: no gateway is running; one started with these settings will be at")
    }

    @Test func `the running gateway's address is printed, whatever the flags`() async throws {
        let gateway = try ChildProgram(gateway: ["--token"])
        let runtime = ["XDG_RUNTIME_DIR": gateway.directory.path]
        let running = try ChildProgram(gateway: ["--token"], environment: runtime, in: gateway.directory)
        let port = try await running.serve()
        func printed(_ flags: [String] = []) async throws -> (code: Int32, output: String, log: String) {
            try await ChildProgram(gateway: ["--print-url"] + flags, environment: runtime, in: gateway.directory).run()
        }
        let token = String(decoding: try gateway.directory.read("web-token").dropLast(), as: UTF8.self)
        let address = "http://localhost:\(port)/#\(token)\n"
        #expect(try await printed() == (0, address, ""))
        #expect(try await printed(["--listen", "127.0.0.1:1"]) == (0, address, ""))
        // A gateway with another token is not the one.
        let other = gateway.directory.file("other-token")
        #expect(try await printed(["--token-file", other]).output == "http://localhost:0/\n")
        await running.end(with: SIGKILL)
        #expect(try await printed().output == "http://localhost:0/\n")
    }

    @Test func `with all addresses, one that is listed with their port is not listened on again`() async throws {
        let listed = ["192.0.2.1:8044", "192.0.2.1:8045", "0.0.0.0:8044", "[::1]:8044"]
        let gateway = try ChildProgram(gateway: [])
        try gateway.directory.write(Token().text, to: "web-token")
        chmod(gateway.directory.file("web-token"), 0o600)
        let (code, output, _) = try await ChildProgram(
            gateway: ["--print-url", "--lan"] + listed.flatMap { ["--listen", $0] }, in: gateway.directory
        ).run()
        #expect(code == 0)
        #expect(output.contains("//192.0.2.1:8045/") && !output.contains("//192.0.2.1:8044/"))
    }

    /// As with sudo, which leaves only HOME.
    @Test(arguments: ["--print-url", "--new-token"])
    func `flags that need no daemon need no runtime directory`(flag: String) async throws {
        let directory = try TemporaryDirectory()
        let program = try ChildProgram(
            .product("pixelboop-web"), ["--token-file", directory.file("web-token"), flag],
            environment: ["HOME": directory.path], in: directory)
        let (code, output, log) = try await program.run()
        #expect(code == 0 && output.hasPrefix("http://localhost:8044/") && !log.contains("XDG_RUNTIME_DIR"))
    }

    @Test func `printing the address makes no token`() async throws {
        let program = try ChildProgram(gateway: ["--print-url", "--token"])
        let (code, output, log) = try await program.run()
        #expect(code == 1 && output.isEmpty)
        #expect(log.contains("there is no token yet"))
        #expect(try !program.directory.names.contains("web-token"))
    }

    @Test func `the token is nowhere in the log`() async throws {
        let gateway = try ChildProgram(gateway: ["--log-level", "trace", "--token"])
        let port = try await gateway.serve()
        let browser = try Browser(port: port)
        try await browser.connect()
        let token = String(decoding: try gateway.directory.read("web-token").dropLast(), as: UTF8.self)
        try await browser.authenticate(token)
        #expect(try await browser.closing().code == 1013)
        #expect(await gateway.end() == 0)
        #expect(!gateway.log.contains(token))
    }

    @Test(arguments: [
        (["--max-clients", "0"], 78, "--max-clients: max-clients must be an integer from 1 to 4096"),
        (["--listen", "8044"], 78, "--listen: listen must be addresses with a port each"),
        (["--tls-key", "/nowhere"], 78, "--tls-key: tls-key needs tls-certificate too"),
        (["--tls-key", "/nowhere", "--tls-certificate", "/nowhere"], 1, "/nowhere: this is not a certificate in PEM"),
        (["--listen", "192.0.2.123:1"], 1, "cannot listen on 192.0.2.123:1: Cannot assign requested address"),
    ])
    func `the reason why it cannot serve is reported`(flags: [String], code: Int32, complaint: String) async throws {
        let ended = try await ChildProgram(gateway: flags).run()
        #expect(ended.code == code)
        #expect(ended.log.contains("pixelboop-web: \(complaint)"))
    }

    @Test(arguments: [["--port"], ["--port", "9000"], ["--port=9000"]])
    func `whoever asks for a port is shown the address that has it`(flags: [String]) async throws {
        let ended = try await ChildProgram(gateway: flags).run()
        #expect(ended.code == EX_USAGE)
        #expect(ended.log.contains("Unknown option '--port'. Did you mean '--listen'? An address to listen on"))
        #expect(!ended.log.contains("--host'"))
    }

    @Test func `a gateway that cannot announce itself says so, and serves`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "pixelboop-web")
        let reasons: [([String: String], String)] = [
            ([:], "neither RUNTIME_DIRECTORY nor XDG_RUNTIME_DIR is set: --print-url, --new-token and"),
            (["XDG_RUNTIME_DIR": directory.path], "cannot create \(directory.path)/pixelboop-web/"),
        ]
        for (environment, reason) in reasons {
            let gateway = try ChildProgram(gateway: [], environment: environment)
            _ = try await gateway.serve()
            #expect(gateway.log.contains(reason))
            #expect(await gateway.end() == 0)
        }
    }

    @Test func `a short token is refused at the start`() async throws {
        let gateway = try ChildProgram(gateway: [])
        try gateway.directory.write("hunter2\n", to: "web-token")
        chmod(gateway.directory.file("web-token"), 0o600)
        let ended = try await gateway.run()
        #expect(ended.code == 1)
        #expect(ended.log.contains("a token of 7 characters could be guessed; it needs at least 22"))
    }

    @Test func `an address that is in use is named`() async throws {
        let gateway = try ChildProgram(gateway: [])
        let port = try await gateway.serve()
        let second = try await ChildProgram(gateway: ["--listen", "127.0.0.1:\(port)"]).run()
        #expect(second.code == 1)
        #expect(second.log.contains("cannot listen on 127.0.0.1:\(port): Address already in use"))
    }

    @Test func `a token that others may read is refused`() async throws {
        let gateway = try ChildProgram(gateway: [])
        try gateway.directory.write(Token().text, to: "web-token")
        chmod(gateway.directory.file("web-token"), 0o644)
        let ended = try await gateway.run()
        #expect(ended.code == 1)
        #expect(ended.log.contains("others may read or change the token"))
    }
}
