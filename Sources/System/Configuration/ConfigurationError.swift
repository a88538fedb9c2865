/// All problems that were found in a configuration.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problems, in the order in which the sources are read.
    public var problems: [Problem]

    public struct Problem: Equatable, Sendable, CustomStringConvertible {
        public var origin: ConfigurationOrigin
        /// What is wrong, and what would be right.
        public var message: String

        /// `/etc/pixelboop/pixelboopd.toml:3: max-clients must be an integer from 1 to 65536`; only the message if the
        /// setting was not set anywhere.
        public var description: String { origin == .standard ? message : "\(origin): \(message)" }
    }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Where a setting comes from.
public enum ConfigurationOrigin: Equatable, Sendable, CustomStringConvertible {
    /// The default.
    case standard
    /// A line of a file, from 1; nil for the file as a whole.
    case file(String, line: Int?)
    case variable(String)
    /// A command-line flag.
    case flag(String)

    /// `default`, `/etc/pixelboop/pixelboopd.toml:3`, `PIXELBOOP_SOCKET` or `--socket`
    public var description: String {
        switch self {
        case .standard: "default"
        case .file(let path, let line?): "\(path):\(line)"
        case .file(let path, nil): path
        case .variable(let name): name
        case .flag(let name): name
        }
    }
}
