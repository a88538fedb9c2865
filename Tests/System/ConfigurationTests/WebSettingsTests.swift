import Testing

@testable import Configuration

struct WebSettingsTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `by itself it serves this machine, from the daemon's usual socket`() throws {
        let configuration = try LoadedConfiguration<WebTable>(home.sources()).settings
        #expect(configuration.socketPath == "/run/user/7/pixelboop/control.sock")
        #expect(configuration.listening.isEmpty)
        #expect(!configuration.isOpenToNetwork)
        #expect(configuration.tokenFile == "\(home.path)/.local/state/pixelboop/web-token")
        #expect(configuration.maxClients == 64)
    }

    @Test(arguments: [
        "localhost:8044", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8044", "[127.0.0.1]:1",
        "[::1]", ":8044", "[]:1", "256.0.0.1:1", "127.0.0.1:1,x",
    ])
    func `an address to listen on is a literal one, with a port`(word: String) throws {
        #expect(
            try home.complaints(of: WebTable.self, flags: ["listen": word]) == [
                "--listen: listen must be addresses with a port each, like \"192.168.1.2:8044\" or \"[::1]:8044\""
            ])
    }

    @Test(arguments: [
        ("host = [\"a:1\"]", "file:1: host must be names without a port, like \"studio.example.org\""),
        ("host = [1]", "file:1: host must be names without a port, like \"studio.example.org\""),
        ("host = [\"\"]", "file:1: host must be names without a port, like \"studio.example.org\""),
        ("origin = [\"a.org\"]", "file:1: origin must be addresses of pages, like \"https://studio.example.org\""),
        (
            "origin = [\"https://a.org/x\"]",
            "file:1: origin must be addresses of pages, like \"https://studio.example.org\""
        ),
        ("max-clients = 0", "file:1: max-clients must be an integer from 1 to 4096"),
        ("lan = 1", "file:1: lan must be true or false"),
        ("tls-certificate = \"/c\"", "file:1: tls-certificate needs tls-key too"),
        ("tls-key = \"/c\"", "file:1: tls-key needs tls-certificate too"),
        ("tokn = true", "file:1: unknown key tokn; did you mean token?"),
    ])
    func `a problem is reported with its line and the allowed values`(text: String, complaint: String) throws {
        #expect(try home.complaints(of: WebTable.self, about: text) == [complaint])
    }
}
