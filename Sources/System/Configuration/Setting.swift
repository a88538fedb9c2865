/// One setting of a program, from which its key in the file, its variable, flag, help and errors are derived.
///
/// Its spelling follows from its name: `max-clients` in the file, `--max-clients` as a flag, `PIXELBOOP_MAX_CLIENTS` in
/// the environment.
public struct Setting<Value: Sendable>: Sendable {
    /// Everything that does not depend on the type of its value.
    public let row: SettingRow
    let kind: SettingKind<Value>

    /// A setting with a default.
    ///
    /// - Parameters:
    ///   - sentence: Its purpose, without a full stop: the allowed values may follow.
    ///   - placeholder: Stands for the value in the help.
    ///   - note: Further help, in sentences.
    ///   - unset: What applies without a value, in words.
    ///   - example: A value for the example file if there is no default to show.
    ///   - reloads: Whether a new value applies to the running program when it rereads the file.
    ///   - variable: The environment variable, if it does not have the usual name.
    public init(
        _ name: String, _ kind: SettingKind<Value>, _ standard: Value, _ sentence: String, as placeholder: String = "",
        note: String = "", unset: String = "", example: String = "", reloads: Bool = false, variable: String? = nil
    ) {
        let value = SettingValue(standard, as: kind)
        self.init(
            kind,
            SettingRow(
                name: name, shape: kind.shape, placeholder: placeholder, sentence: sentence + kind.limits, note: note,
                unset: unset, example: example, expectation: kind.expectation, reloads: reloads, base: nil,
                ownVariable: variable, standard: { _ in value },
                read: { raw, home in kind.read(raw, home).map { SettingValue($0, as: kind) } }))
    }

    private init(_ kind: SettingKind<Value>, _ row: SettingRow) {
        self.kind = kind
        self.row = row
    }
}

extension Setting<String> {
    /// A path that is by default in one of the user's directories.
    ///
    /// - Parameter file: Its name there; nil for the directory itself.
    public init(
        _ name: String, _ kind: SettingKind<String>, in base: BaseDirectories.Base, file: String? = nil,
        _ sentence: String, as placeholder: String, note: String = "", variable: String? = nil
    ) {
        let end = file.map { "/\($0)" } ?? ""
        let setting = Setting(
            name, kind, "", sentence, as: placeholder, note: note, unset: base.words + end, variable: variable)
        var row = setting.row
        row.base = base
        row.standard = { directories in SettingValue(base.directory(directories).map { $0 + end } ?? "", as: kind) }
        self.init(kind, row)
    }

    public func allows(_ text: String) -> Bool { kind.read(.string(text), nil) != nil }

    /// The control socket, which has the same variable for the daemon and all of its clients.
    public static var socket: Setting {
        Setting(
            "socket", .socket, in: .runtime, file: "control.sock", "The control socket", as: "path",
            variable: "PIXELBOOP_SOCKET")
    }
}

extension Setting<LogLevel> {
    public static var logLevel: Setting { logLevel(reloads: false) }

    static func logLevel(reloads: Bool) -> Setting {
        Setting(
            "log-level", .choice(), .info, "The least important messages that are logged", as: "level", reloads: reloads
        )
    }
}

/// How important a message is, from least to most.
public enum LogLevel: String, CaseIterable, Sendable {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical
}
