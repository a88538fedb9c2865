/// The settings of a program, one property each, in the order in which they are shown.
public protocol SettingTable: Sendable {
    /// The program's name, and that of its configuration file.
    static var program: String { get }
    /// The prefix of its environment variables.
    static var prefix: String { get }
    /// The daemon's control socket.
    var socketPath: Setting<String> { get }
    var logLevel: Setting<LogLevel> { get }

    init()

    /// A conflict between settings: the name of one of them and a message; nil if there is none.
    static func conflict(in settings: Settings<Self>) -> (name: String, message: String)?
}

extension SettingTable {
    /// `PIXELBOOP_WEB_`, derived from the program's name.
    public static var prefix: String { program.variable + "_" }

    public static func conflict(in settings: Settings<Self>) -> (name: String, message: String)? { nil }

    /// All settings in their order.
    public static var rows: [SettingRow] {
        Mirror(reflecting: Self()).children.compactMap { ($0.value as? any RowHolder)?.row }
    }

    /// The environment variable that names the configuration file.
    static var fileVariable: String { prefix + "CONFIG" }
}

private protocol RowHolder {
    var row: SettingRow { get }
}

extension Setting: RowHolder {}

/// A value for each setting of a program, by the names of the table's properties.
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

    /// Sets a value from its written form; false if it is not allowed.
    ///
    /// - Parameter home: The user's home directory, for paths that begin with `~`.
    mutating func set(_ row: SettingRow, to written: UntypedValue, home: String?) -> Bool {
        guard let value = row.read(written, home) else { return false }
        values[row.name] = value
        return true
    }

    /// A setting's value as written in the file; nil if it has none.
    func text(of row: SettingRow) -> String? { values[row.name]?.text }

    /// Applies settings that were reread to those of a running program. Settings that need a restart keep their values.
    ///
    /// - Returns: The settings to run with, and the names of those whose new values need a restart.
    public func applying(_ reread: Settings) -> (settings: Settings, waiting: [String]) {
        var result = self
        for row in Table.rows where row.reloads { result.values[row.name] = reread.values[row.name] }
        return (result, Table.rows.map(\.name).filter { result.values[$0] != reread.values[$0] })
    }
}
