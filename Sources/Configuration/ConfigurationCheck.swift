/// What `--check-config` prints: the settings as the daemon would use them and where they come from, in the form of a
/// configuration file, or everything that is wrong.
public enum ConfigurationCheck {
    /// What is to be printed.
    public struct Result: Equatable, Sendable {
        /// For standard output.
        public var report = ""
        /// For standard error.
        public var complaints = ""
        /// Whether the daemon would start with it.
        public var isValid: Bool
    }

    /// Reads the configuration and reports on it.
    ///
    /// - Parameter settings: Whose.
    public static func run<Values: Settings>(_ sources: ConfigurationSources<Values.Key>, for settings: Values.Type)
        -> Result
    {
        do throws(ConfigurationError) {
            let loaded = try LoadedConfiguration<Values>(sources)
            let warnings = loaded.warnings.map { "\($0)\n" }.joined()
            return Result(report: report(on: loaded), complaints: warnings, isValid: true)
        } catch {
            return Result(complaints: "\(error)\n", isValid: false)
        }
    }

    private static func report<Values: Settings>(on loaded: LoadedConfiguration<Values>) -> String {
        let settings = Values.Key.allCases.map { key in
            (line(for: key, in: loaded.configuration), loaded.origin(of: key))
        }
        let width = settings.map(\.0.count).max() ?? 0
        let lines = settings.map { line, origin in
            line + String(repeating: " ", count: width - line.count) + "  # \(origin)\n"
        }
        return "# " + (loaded.file ?? "no configuration file") + "\n" + lines.joined()
    }

    private static func line<Values: Settings>(for key: Values.Key, in configuration: Values) -> String {
        configuration.value(of: key).map { "\(key.name) = \($0)" } ?? "# \(key.name) ="
    }
}
