/// The text of an example configuration file: every setting with its default.
public enum ExampleFile {
    /// - Parameter environment: Determines the directories shown.
    public static func text<Table: SettingTable>(for table: Table.Type, environment: [String: String]) -> String {
        let directories = BaseDirectories(environment: environment)
        let settings = Table.rows.map { row in
            comment(row.comment) + "# \(row.name) = \(row.standard(directories).text ?? row.exampleText)\n"
        }
        return ([comment(introduction(Table.self))] + settings).joined(separator: "\n")
    }

    private static func introduction<Table: SettingTable>(_ table: Table.Type) -> String {
        let program = Table.program
        let reload =
            Table.rows.contains(where: \.reloads)
            ? " A running program takes over settings marked \"On reload\" on SIGHUP; the others wait for a restart."
            : ""
        return """
            Configuration of \(program), for ~/.config/pixelboop/\(program).toml or /etc/pixelboop/\(program).toml. The \
            lines behind "#" show each default, or an example where there is none. Every key is also a flag \
            (--log-level debug) and a variable of the environment (\(Table().logLevel.row.variable(Table.prefix))=debug; \
            the socket's is \(Table().socketPath.row.variable(Table.prefix))): flags win, then the environment, then this \
            file. `\(program) --check-config` shows what is in force, and where it comes from.\(reload)
            """
    }

    /// Wraps text into comment lines.
    private static func comment(_ words: String) -> String {
        var lines = ["#"]
        for word in words.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
