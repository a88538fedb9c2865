import DaemonTestSupport
import Foundation
import PixelBoopClient
import TestSupport
import Testing

/// SIGHUP: the configuration is read again.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ReloadTests {
    private let directory: TemporaryDirectory
    private let file: String
    private let daemon: DaemonProcess

    init() throws {
        directory = try TemporaryDirectory()
        file = directory.file("pixelboopd.toml")
        daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--config", file])
    }

    private func configure(_ text: String) throws { try directory.write(text, to: "pixelboopd.toml") }

    @Test func `what can change is applied and the rest waits for a restart`() async throws {
        try configure("log-level = \"info\"\n")
        try await daemon.start()
        let client = try await daemon.connect()
        try configure("max-clients = 1\nclient-name = \"other\"\n")
        await daemon.send(SIGHUP)
        #expect(await daemon.says("client-name: the new value needs a restart"))
        #expect(await daemon.log.contains("the configuration was reloaded"))
        let refused = try RawClient(path: daemon.socketPath)
        #expect(await refused.line()?.contains("-32004") == true)
        try await client.ping()
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a file that has become invalid changes nothing and is reported with its line`() async throws {
        try configure("max-clients = 2\n")
        try await daemon.start()
        let clients = [try await daemon.connect(), try await daemon.connect()]
        try configure("# no client any more\nmax-clients = 0\n")
        await daemon.send(SIGHUP)
        #expect(await daemon.says("the configuration is unchanged"))
        #expect(await daemon.says("\(file):2"))
        let refused = try RawClient(path: daemon.socketPath)
        #expect(await refused.line()?.contains("2 clients") == true)
        for client in clients { try await client.ping() }

        // Restarted with it, the daemon reports the same and does not start.
        #expect(await daemon.end(with: SIGTERM) == 0)
        let failure = await #expect(throws: DaemonProcess.Failure.self) { try await daemon.start() }
        #expect(failure?.log.contains("\(file):2") == true)
        #expect(failure?.log.contains("1 to 65536") == true)
    }

    @Test func `a configuration that has become a FIFO is refused, and the next one is read`() async throws {
        try configure("max-clients = 2\n")
        try await daemon.start()
        try FileManager.default.removeItem(atPath: file)
        mkfifo(file, 0o600)
        await daemon.send(SIGHUP)
        #expect(await daemon.says("\(file): is not a regular file"))
        try FileManager.default.removeItem(atPath: file)
        try configure("max-clients = 3\n")
        await daemon.send(SIGHUP)
        #expect(await daemon.says("the configuration was reloaded"))
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a new log level is applied`() async throws {
        try configure("log-level = \"info\"\n")
        try await daemon.start()
        try configure("log-level = \"warning\"\nclient-name = \"other\"\n")
        await daemon.send(SIGHUP)
        #expect(await daemon.says("client-name: the new value needs a restart"))
        // This is a notice, and would come before that warning.
        #expect(await !daemon.log.contains("the configuration was reloaded"))
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}
