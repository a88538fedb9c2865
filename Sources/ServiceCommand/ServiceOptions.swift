import ArgumentParser
import Configuration

/// The flags that every service has.
public struct ServiceOptions<Key: SettingKey>: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The configuration file, instead of $XDG_CONFIG_HOME or /etc/pixelboop/\(Key.program).toml.",
            valueName: "file"))
    var config: String?

    @Flag(help: "Check the configuration, print it and exit.")
    var checkConfig = false

    @Option(
        help: ArgumentHelp("The control socket. Default: \(Key.socketDefault).", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "What is logged: trace, debug, info, notice, warning, error or critical. Default: info.", valueName: "level"
        ))
    var logLevel: String?

    /// No flag given.
    public init() {}
}
