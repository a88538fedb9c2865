/// Everything that a program can be told, one value for each of its keys.
public protocol Settings: Equatable, Sendable {
    /// What can be told.
    associatedtype Key: SettingKey

    /// The settings that hold unless something else is configured.
    init(directories: BaseDirectories)

    /// The daemon's control socket.
    var socketPath: String { get }
    /// What is logged: messages of this level and above.
    var logLevel: LogLevel { get }

    /// Sets what a key stands for.
    ///
    /// - Parameter home: The user's home directory, for paths that begin with `~`.
    mutating func set(_ key: Key, to value: RawValue, home: String?) throws(BadValue)

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    func value(of key: Key) -> String?

    /// What is wrong with the settings as a whole, and the key concerned; nil when nothing is.
    var conflict: (key: Key, message: String)? { get }
}

extension Settings {
    /// Nothing, unless told otherwise.
    public var conflict: (key: Key, message: String)? { nil }
}

/// A key of a program's settings. It is spelt the same everywhere: `max-clients` in the file, `--max-clients` as a flag,
/// `PIXELBOOP_MAX_CLIENTS` in the environment.
public protocol SettingKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The program, whose file of settings has its name.
    static var program: String { get }
    /// What variables of the environment begin with.
    static var prefix: String { get }
    /// The control socket.
    static var socket: Self { get }
    /// What is logged.
    static var logLevel: Self { get }
    /// Where the control socket is unless told otherwise, in words.
    static var socketDefault: String { get }

    /// The variable in the environment.
    var variable: String { get }
    /// What may be set, in words.
    var expectation: String { get }
    /// The variable of the environment without which there is no default; nil when there is one always.
    var base: String? { get }
    /// Whether the flag is given without a value.
    var isSwitch: Bool { get }
}

extension SettingKey {
    /// The daemon's, for it and its clients.
    public static var socketDefault: String { "$XDG_RUNTIME_DIR/pixelboop/control.sock" }

    /// The key in the configuration file.
    public var name: String { rawValue }

    /// The runtime directory for the socket, unless told otherwise.
    public var base: String? { self == .socket ? "XDG_RUNTIME_DIR" : nil }

    /// No, unless told otherwise.
    public var isSwitch: Bool { false }

    /// The program's prefix and the name; for the socket that of all programs.
    public var variable: String {
        (self == .socket ? ConfigurationKey.prefix : Self.prefix) + rawValue.uppercased().replacing("-", with: "_")
    }

    /// The variable that names the configuration file.
    static var fileVariable: String { prefix + "CONFIG" }
}

/// That a value is not what its key allows.
public struct BadValue: Error {
    /// A refusal.
    public init() {}
}

extension Settings {
    /// The value, if it is one and is allowed.
    public func checked<Value>(
        _ value: Value?, _ isAllowed: (Value) -> Bool = { _ in true }
    ) throws(BadValue) -> Value {
        guard let value, isAllowed(value) else { throw BadValue() }
        return value
    }

    /// A list of texts as it stands in the file; nil for an empty one.
    public func list(_ words: [String]) -> String? {
        words.isEmpty ? nil : "[" + words.compactMap(quoted).joined(separator: ", ") + "]"
    }

    /// A text as it stands in the file; nil for an empty one, which is that of a key without a value.
    public func quoted(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension [String] {
    /// `a, b or c`
    public var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}
