import Foundation
import Testing

@testable import Configuration

struct WebConfigurationTests {
    private let home: Home

    init() throws { home = try Home() }

    private func load(
        _ text: String = "", flags: [WebConfigurationKey: String] = [:], environment: [String: String] = [:]
    ) throws(ConfigurationError) -> LoadedConfiguration<WebConfiguration> {
        _ = try? home.write(text, to: ".config/pixelboop/pixelboop-web.toml")
        return try LoadedConfiguration(
            ConfigurationSources(
                flags: ConfigurationFlags(values: flags),
                environment: ["HOME": home.path, "XDG_RUNTIME_DIR": "/run/user/7"].merging(environment) { $1 },
                workingDirectory: "/somewhere"))
    }

    private func complaints(_ text: String = "", flags: [WebConfigurationKey: String] = [:]) -> [String] {
        do throws(ConfigurationError) {
            _ = try load(text, flags: flags)
            return []
        } catch {
            return error.problems.map {
                $0.description.replacing("\(home.path)/.config/pixelboop/pixelboop-web.toml", with: "file")
            }
        }
    }

    @Test func `by itself it serves this machine, from the daemon's usual socket`() throws {
        let configuration = try load().configuration
        #expect(configuration.socketPath == "/run/user/7/pixelboop/control.sock")
        #expect(configuration.listening.isEmpty)
        #expect(!configuration.isOpenToNetwork)
        #expect(configuration.tokenFile == "\(home.path)/.local/state/pixelboop/web-token")
        #expect(configuration.maxClients == 64)
    }

    private static let words: [WebConfigurationKey: String] = [
        .socket: "/a/b.sock", .listen: "127.0.0.1:1,[::1]:65535", .network: "true", .host: "a.example,b",
        .token: "true",
        .origin: "https://a.example,http://b:8044", .tokenFile: "/t", .certificate: "/c", .privateKey: "/k",
        .maxClients: "7", .logLevel: "error",
    ]

    @Test(arguments: WebConfigurationKey.allCases)
    func `every key can be set by flag, by environment and in the file`(key: WebConfigurationKey) throws {
        // One of these without the other is a conflict.
        let others: [WebConfigurationKey: String] = [.certificate: "/c", .privateKey: "/k"]
        let word = try #require(Self.words[key])
        let byFlag = try load(flags: others.merging([key: word]) { $1 })
        let byVariable = try load(flags: others.filter { $0.key != key }, environment: [key.variable: word])
        let value = try #require(byFlag.configuration.value(of: key))
        let byFile = try load("\(key.name) = \(value)", flags: others.filter { $0.key != key })
        #expect(byFlag.configuration == byVariable.configuration)
        #expect(byFlag.configuration == byFile.configuration)
        #expect(value.filter { !"\"[] ".contains($0) } == word.filter { !"[]".contains($0) })
        #expect(byFlag.origin(of: key).description == "--\(key.rawValue)")
        #expect(byVariable.origin(of: key).description == key.variable)
    }

    @Test func `the socket's variable is that of all clients`() {
        #expect(WebConfigurationKey.socket.variable == "PIXELBOOP_SOCKET")
        #expect(WebConfigurationKey.maxClients.variable == "PIXELBOOP_WEB_MAX_CLIENTS")
    }

    @Test(arguments: [
        "localhost:8044", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8044", "[127.0.0.1]:1",
        "[::1]", ":8044", "[]:1", "256.0.0.1:1", "127.0.0.1:1,x",
    ])
    func `an address to listen on is a literal one, with a port`(word: String) {
        #expect(
            complaints(flags: [.listen: word]) == [
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
    func `what is wrong is named with its line and what is allowed`(text: String, complaint: String) {
        #expect(complaints(text) == [complaint])
    }

    @Test func `the check prints a file that says the same`() throws {
        let flags = Self.words
        let sources = ConfigurationSources(
            flags: ConfigurationFlags(values: flags),
            environment: ["HOME": home.path, "XDG_RUNTIME_DIR": "/run/user/7"],
            workingDirectory: "/somewhere")
        let report = ConfigurationCheck.run(sources, for: WebConfiguration.self).report
        #expect(try load(report).configuration == load(flags: flags).configuration)
    }

    @Test func `the example names every key, with its default where there is one`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../config/pixelboop-web.toml")
        let example = try String(contentsOf: url, encoding: .utf8)
        let active = example.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /# ([a-z-]+ = .*)/).map { String($0.1) }
        }
        let names = active.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names == WebConfigurationKey.allCases.map(\.name))
        var configuration = try load(active.joined(separator: "\n").replacing("/home/ada", with: home.path))
            .configuration
        #expect(configuration.listening.count == 2)
        (configuration.listening, configuration.hosts, configuration.origins) = ([], [], [])
        (configuration.certificate, configuration.privateKey) = (nil, nil)
        let defaults = try load(environment: ["XDG_RUNTIME_DIR": "/run/user/1000"]).configuration
        #expect(configuration == defaults)
    }
}
