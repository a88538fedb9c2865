import Foundation

/// A configuration and where each of its settings comes from.
public struct LoadedConfiguration<Values: Settings>: Equatable, Sendable {
    /// The settings.
    public private(set) var configuration: Values
    /// Where those come from that are not the defaults.
    public private(set) var origins: [Values.Key: ConfigurationOrigin] = [:]
    /// The file that was read, nil when there was none.
    public private(set) var file: String?
    /// What is odd, but no reason not to start.
    public private(set) var warnings: [String] = []

    private var problems: [ConfigurationError.Problem] = []
    private let directories: BaseDirectories

    /// Reads what was configured: the defaults, then the file, then the environment, then the flags, each of which wins
    /// over those before.
    ///
    /// - Throws: ``ConfigurationError`` with everything that is wrong; a daemon must not start then.
    public init(_ sources: ConfigurationSources<Values.Key>) throws(ConfigurationError) {
        directories = BaseDirectories(environment: sources.environment)
        configuration = Values(directories: directories)
        do throws(ConfigurationError) {
            if let file = try Self.findFile(sources, directories) { apply(file) }
        } catch {
            problems += error.problems
        }
        applyEnvironment(of: sources)
        applyFlags(of: sources)
        checkPaths()
        if problems.isEmpty, let (key, message) = configuration.conflict {
            problems.append(.init(origin: origin(of: key), message: message))
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    /// Where a setting comes from.
    public func origin(of key: Values.Key) -> ConfigurationOrigin { origins[key] ?? .standard }

    // MARK: The file

    /// The file that was named, which has to be there, or the first that is in one of the usual places.
    private static func findFile(
        _ sources: ConfigurationSources<Values.Key>, _ directories: BaseDirectories
    ) throws(ConfigurationError) -> ConfigurationFile? {
        if let path = sources.file { return try read(path) }
        let usual = directories.configuration.lazy.map { "\($0)/\(Values.Key.program).toml" }
        return try usual.first { FileManager.default.fileExists(atPath: $0) }.map { path throws(ConfigurationError) in
            try read(path)
        }
    }

    /// Reads a regular file; others might keep the daemon waiting for ever.
    private static func read(_ path: String) throws(ConfigurationError) -> ConfigurationFile {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0, let file = fdopen(descriptor, "r") else { throw unreadable(path) }
        defer { fclose(file) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(
                problems: [.init(origin: .file(path, line: nil), message: "is no regular file; only such are read")])
        }
        var content = [UInt8](repeating: 0, count: ConfigurationFile.sizeLimit + 1)
        let count = fread(&content, 1, content.count, file)
        guard ferror(file) == 0 else { throw unreadable(path) }
        return try ConfigurationFile(path, content: Array(content[..<count]))
    }

    private static func unreadable(_ path: String) -> ConfigurationError {
        let message = "cannot be read: \(String(cString: strerror(errno)))"
        return ConfigurationError(problems: [.init(origin: .file(path, line: nil), message: message)])
    }

    private mutating func apply(_ file: ConfigurationFile) {
        self.file = file.path
        for entry in file.entries {
            let origin = ConfigurationOrigin.file(file.path, line: entry.line)
            if let key = Values.Key(rawValue: entry.name) {
                apply(key, entry.value, origin)
            } else {
                problems.append(.init(origin: origin, message: Self.unknown(entry.name)))
            }
        }
    }

    private static func unknown(_ name: String) -> String {
        let names = Values.Key.allCases.map(\.name)
        let advice = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        return "unknown key \(name); "
            + (advice ?? "the keys are \(names.alternatives.replacing(" or ", with: " and "))")
    }

    // MARK: Environment and flags

    private mutating func applyEnvironment(of sources: ConfigurationSources<Values.Key>) {
        let environment = sources.environment
        for key in Values.Key.allCases {
            guard let word = environment[key.variable], !word.isEmpty else { continue }
            apply(key, sources.value(word), .variable(key.variable))
        }
        let known = Values.Key.allCases.map(\.variable) + [Values.Key.fileVariable]
        for name in environment.keys.sorted() where name.hasPrefix("PIXELBOOP_") && !known.contains(name) {
            guard let near = known.first(where: { Suggestion.distance(name, $0) <= 2 }) else { continue }
            warnings.append("\(name) in the environment is not used; did you mean \(near)?")
        }
    }

    private mutating func applyFlags(of sources: ConfigurationSources<Values.Key>) {
        for key in Values.Key.allCases {
            guard let word = sources.flags.values[key] else { continue }
            let isNegated = key.isSwitch && word == "false"
            apply(key, sources.value(word), .flag(isNegated ? "--no-\(key.name)" : "--\(key.name)"))
        }
    }

    private mutating func apply(_ key: Values.Key, _ value: RawValue, _ origin: ConfigurationOrigin) {
        do throws(BadValue) {
            try configuration.set(key, to: value, home: directories.home)
            origins[key] = origin
        } catch {
            problems.append(.init(origin: origin, message: "\(key.name) must be \(key.expectation)"))
        }
    }

    /// What has no default because the environment does not say where the user's files belong.
    private mutating func checkPaths() {
        for key in Values.Key.allCases {
            guard let base = key.base, configuration.value(of: key) == nil else { continue }
            let isMentioned = problems.contains { $0.message.hasPrefix("\(key.name) ") }
            guard !isMentioned else { continue }
            problems.append(.init(origin: .variable(base), message: "is not set, so \(key.name) has to be"))
        }
        if let socket = directories.controlSocket, socket.utf8.count > BaseDirectories.socketPathLimit,
            origins[.socket] == nil
        {
            problems.append(.init(origin: .standard, message: "socket must be \(Values.Key.socket.expectation)"))
        }
    }
}
