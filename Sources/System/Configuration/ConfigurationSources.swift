import FoundationEssentials

/// The flags that were given on the command line.
public struct ConfigurationFlags: Equatable, Sendable {
    /// The configuration file, instead of those in the usual places.
    public var file: String?
    /// The settings as they were typed: `--max-clients 64` is `["max-clients": "64"]`, `--no-connect` is
    /// `["connect": "false"]`.
    public var values: [String: String]

    public init(file: String? = nil, values: [String: String] = [:]) {
        self.file = file
        self.values = values
    }
}

/// Where settings are read from besides files.
public struct ConfigurationSources: Equatable, Sendable {
    public var flags: ConfigurationFlags
    public var environment: [String: String]
    /// The directory that relative paths on the command line and in the environment start from.
    public var workingDirectory: String

    /// The given flags with this process's environment and directory.
    public init(
        flags: ConfigurationFlags, environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory: String = FileManager.default.currentDirectoryPath
    ) {
        self.flags = flags
        self.environment = environment
        self.workingDirectory = workingDirectory
    }

    /// A word from the command line or the environment as the value of a key.
    func value(_ word: String) -> UntypedValue { .word(word, directory: workingDirectory) }

    /// The path of the requested configuration file, nil if none was requested.
    ///
    /// - Parameter variable: The environment variable that may name it.
    func file(_ variable: String) -> String? {
        let word = flags.file ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        return word.map { $0.hasPrefix("/") ? $0 : "\(workingDirectory)/\($0)" }
    }
}
