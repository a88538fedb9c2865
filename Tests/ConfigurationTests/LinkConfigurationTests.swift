import Testing

@testable import Configuration

struct LinkConfigurationTests {
    private func settings(_ flags: [LinkConfigurationKey: String] = [:], _ environment: [String: String] = [:]) throws
        -> LinkConfiguration
    {
        let sources = ConfigurationSources<LinkConfigurationKey>(
            flags: ConfigurationFlags(values: flags),
            environment: ["HOME": "/nowhere", "XDG_RUNTIME_DIR": "/run/user/7"].merging(environment) { $1 },
            workingDirectory: "/somewhere")
        return try LoadedConfiguration<LinkConfiguration>(sources).configuration
    }

    @Test func `unless told otherwise it joins by four beats, and shares starts and stops`() throws {
        let settings = try settings()
        #expect(settings.socketPath == "/run/user/7/pixelboop/control.sock")
        #expect(settings.quantum == 4 && settings.sharesStarts && settings.logLevel == .info)
    }

    @Test func `flags and environment are taken`() throws {
        let settings = try settings(
            [.startStop: "false"], ["PIXELBOOP_LINK_QUANTUM": "8", "PIXELBOOP_SOCKET": "/run/x.sock"])
        #expect(settings.socketPath == "/run/x.sock" && settings.quantum == 8 && !settings.sharesStarts)
    }

    @Test(arguments: [
        (LinkConfigurationKey.quantum, "0", "--quantum: quantum must be an integer from 1 to 64"),
        (.quantum, "1.5", "--quantum: quantum must be an integer from 1 to 64"),
        (.startStop, "maybe", "--start-stop: start-stop must be true or false"),
    ])
    func `what cannot be is refused`(key: LinkConfigurationKey, value: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try settings([key: value]) }
        #expect(error?.description == message)
    }
}
