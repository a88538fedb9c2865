/// The output of `--check-config`: the effective settings and their origins, in the format of a configuration file, or
/// all errors.
public enum ConfigurationCheck {
    public struct Result: Equatable, Sendable {
        public var report = ""
        public var complaints = ""
        /// Whether the program would start with it.
        public var isValid: Bool
    }

    /// Reads the configuration and reports on it.
    ///
    /// - Parameter table: The program's settings.
    public static func run<Table: SettingTable>(_ sources: ConfigurationSources, for table: Table.Type) -> Result {
        do throws(ConfigurationError) {
            let loaded = try LoadedConfiguration<Table>(sources)
            let warnings = loaded.warnings.map { "\($0)\n" }.joined()
            return Result(report: report(on: loaded), complaints: warnings, isValid: true)
        } catch {
            return Result(complaints: "\(error)\n", isValid: false)
        }
    }

    private static func report<Table: SettingTable>(on loaded: LoadedConfiguration<Table>) -> String {
        let settings = Table.rows.map { row in
            (
                loaded.settings.text(of: row).map { "\(row.name) = \($0)" } ?? "# \(row.name) =",
                loaded.origin(of: row.name)
            )
        }
        let width = settings.map(\.0.count).max() ?? 0
        let lines = settings.map { line, origin in
            line + String(repeating: " ", count: width - line.count) + "  # \(origin)\n"
        }
        return "# " + (loaded.file ?? "no configuration file") + "\n" + lines.joined()
    }
}
