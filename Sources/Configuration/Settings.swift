/// The settings of a program: a property for each of its settings, in the order in which they are shown.
public protocol SettingTable: Sendable {
    /// The program, whose file of settings has its name.
    static var program: String { get }
    /// The prefix of its environment variables.
    static var prefix: String { get }
    /// The daemon's control socket.
    var socketPath: Setting<String> { get }
    /// What is logged: messages of this level and above.
    var logLevel: Setting<LogLevel> { get }

    init()

    /// A conflict between settings: the name of one of them, and what is wrong; nil when there is none.
    static func conflict(in settings: Settings<Self>) -> (name: String, message: String)?
}

extension SettingTable {
    /// `PIXELBOOP_WEB_`, of the program's name.
    public static var prefix: String { program.variable + "_" }

    public static func conflict(in settings: Settings<Self>) -> (name: String, message: String)? { nil }

    /// All settings in their order.
    public static var rows: [SettingRow] {
        Mirror(reflecting: Self()).children.compactMap { ($0.value as? any RowHolder)?.row }
    }

    /// The variable that names the configuration file.
    static var fileVariable: String { prefix + "CONFIG" }
}

private protocol RowHolder {
    var row: SettingRow { get }
}

extension Setting: RowHolder {}

/// How a program is to run: a value for each of its settings, by the names of the table's properties.
@dynamicMemberLookup
public struct Settings<Table: SettingTable>: Equatable, Sendable {
    private var values: [String: SettingValue]

    /// The defaults.
    public init(directories: BaseDirectories) {
        values = Dictionary(uniqueKeysWithValues: Table.rows.map { ($0.name, $0.standard(directories)) })
    }

    public subscript<Value>(dynamicMember path: KeyPath<Table, Setting<Value>>) -> Value {
        get {
            guard let value = values[Table()[keyPath: path].row.name]?.value as? Value else {
                preconditionFailure("a table always has the same settings")
            }
            return value
        }
        set {
            let setting = Table()[keyPath: path]
            values[setting.row.name] = SettingValue(newValue, as: setting.kind)
        }
    }

    /// Sets what was written; false if it is not allowed.
    ///
    /// - Parameter home: The user's home directory, for paths that begin with `~`.
    mutating func set(_ row: SettingRow, to written: RawValue, home: String?) -> Bool {
        guard let value = row.read(written, home) else { return false }
        values[row.name] = value
        return true
    }

    /// The value of a setting as it would stand in the file; nil when it is not set and has no default.
    func text(of row: SettingRow) -> String? { values[row.name]?.text }

    /// Merges settings that were read again into those of a running program: it takes over what it can, and keeps the values
    /// of settings that need a restart.
    ///
    /// - Returns: The settings to run with, and the names of those that wait for a restart.
    public func applying(_ reread: Settings) -> (settings: Settings, waiting: [String]) {
        var result = self
        for row in Table.rows where row.reloads { result.values[row.name] = reread.values[row.name] }
        return (result, Table.rows.map(\.name).filter { result.values[$0] != reread.values[$0] })
    }
}
