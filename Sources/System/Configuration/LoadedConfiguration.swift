import FoundationEssentials
import Glibc
import SystemSupport

/// A configuration and where each of its settings comes from.
public struct LoadedConfiguration<Table: SettingTable>: Equatable, Sendable {
    public private(set) var settings: Settings<Table>
    /// The origins of settings that are not defaults, by name.
    public private(set) var origins: [String: ConfigurationOrigin] = [:]
    /// The file that was read, nil if there was none.
    public private(set) var file: String?
    /// Problems that do not keep the program from starting.
    public private(set) var warnings: [String] = []

    private var problems: [ConfigurationError.Problem] = []
    private let directories: BaseDirectories

    /// Reads the configuration: the defaults, then the file, the environment and the flags, each of which overrides
    /// those before.
    ///
    /// - Throws: ``ConfigurationError`` with all problems; a daemon must not start with any.
    public init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        directories = BaseDirectories(environment: sources.environment)
        settings = Settings(directories: directories)
        do throws(ConfigurationError) {
            if let file = try Self.findFile(sources, directories) { apply(file) }
        } catch {
            problems += error.problems
        }
        applyEnvironment(of: sources)
        applyFlags(of: sources)
        checkPaths()
        if problems.isEmpty, let (name, message) = Table.conflict(in: settings) {
            problems.append(.init(origin: origin(of: name), message: message))
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    /// Where a setting comes from.
    public func origin(of name: String) -> ConfigurationOrigin { origins[name] ?? .standard }

    // MARK: The file

    /// The named file, which must exist, or the first one found in the usual places.
    private static func findFile(
        _ sources: ConfigurationSources, _ directories: BaseDirectories
    ) throws(ConfigurationError) -> ConfigurationFile? {
        if let path = sources.file(Table.fileVariable) { return try read(path) }
        let usual = directories.configuration.lazy.map { "\($0)/\(Table.program).toml" }
        return try usual.first { FileManager.default.fileExists(atPath: $0) }.map { path throws(ConfigurationError) in
            try read(path)
        }
    }

    /// Reads a regular file: reading a pipe or a device might never end.
    private static func read(_ path: String) throws(ConfigurationError) -> ConfigurationFile {
        let content: [UInt8]
        do throws(FileError) {
            content = try FileContent(of: path, limit: ConfigurationFile.sizeLimit + 1).bytes
        } catch {
            let isOfOtherKind = [EISDIR, EINVAL].contains(error.code)
            throw ConfigurationFile.error(
                path, line: nil, isOfOtherKind ? "is not a regular file" : "cannot be read: \(error.reason)")
        }
        return try ConfigurationFile(path, content: content)
    }

    private mutating func apply(_ file: ConfigurationFile) {
        self.file = file.path
        for entry in file.entries {
            let origin = ConfigurationOrigin.file(file.path, line: entry.line)
            if let row = Table.rows.first(where: { $0.name == entry.name }) {
                apply(row, entry.value, origin)
            } else {
                problems.append(.init(origin: origin, message: Self.unknown(entry.name)))
            }
        }
    }

    private static func unknown(_ name: String) -> String {
        let names = Table.rows.map(\.name)
        let advice = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        return "unknown key \(name); "
            + (advice ?? "the keys are \(names.alternatives.replacing(" or ", with: " and "))")
    }

    // MARK: Environment and flags

    private mutating func applyEnvironment(of sources: ConfigurationSources) {
        let environment = sources.environment
        var known = [Table.fileVariable]
        for row in Table.rows {
            let variable = row.variable(Table.prefix)
            known.append(variable)
            guard let word = environment[variable], !word.isEmpty else { continue }
            apply(row, sources.value(word), .variable(variable))
        }
        for name in environment.keys.sorted() where name.hasPrefix("PIXELBOOP_") && !known.contains(name) {
            guard let near = known.first(where: { Suggestion.distance(name, $0) <= 2 }) else { continue }
            warnings.append("\(name) in the environment is not used; did you mean \(near)?")
        }
    }

    private mutating func applyFlags(of sources: ConfigurationSources) {
        for row in Table.rows {
            guard let word = sources.flags.values[row.name] else { continue }
            apply(row, sources.value(word), .flag(row.flag(for: word)))
        }
    }

    private mutating func apply(_ row: SettingRow, _ value: UntypedValue, _ origin: ConfigurationOrigin) {
        if settings.set(row, to: value, home: directories.home) {
            origins[row.name] = origin
        } else {
            problems.append(.init(origin: origin, message: "\(row.name) must be \(row.expectation)"))
        }
    }

    /// Checks the defaults that depend on the environment: a directory whose variable is missing, and a socket path
    /// that is too long.
    private mutating func checkPaths() {
        for row in Table.rows {
            guard let base = row.base, settings.text(of: row) == nil else { continue }
            let isMentioned = problems.contains { $0.message.hasPrefix("\(row.name) ") }
            guard !isMentioned else { continue }
            problems.append(.init(origin: .variable(base.variable), message: "is not set, so \(row.name) must be set"))
        }
        let socket = Table().socketPath.row
        if let path = directories.controlSocket, path.utf8.count > BaseDirectories.socketPathLimit,
            origins[socket.name] == nil
        {
            problems.append(.init(origin: .standard, message: "socket must be \(socket.expectation)"))
        }
    }
}
