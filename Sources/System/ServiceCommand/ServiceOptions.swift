import ArgumentParser
import Configuration

/// The flags of every service, and one for each of its settings.
public struct ServiceOptions<Table: SettingTable>: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The configuration file, instead of \(Table.program).toml in $XDG_CONFIG_HOME/pixelboop or /etc/pixelboop.",
            valueName: "file"))
    var config: String?

    @Flag(help: "Check the configuration, print it and exit.")
    var checkConfig = false

    @Flag(help: "Print a configuration file with every setting and its default, and exit.")
    var exampleConfig = false

    @OptionGroup var settings: SettingFlags<Table>

    public init() {}

    var flags: ConfigurationFlags { ConfigurationFlags(file: config, values: settings.values) }
}

/// A flag for each setting of a program.
///
/// The argument parser asks for a type's flags by reflection and for their values by key; the table answers both.
struct SettingFlags<Table: SettingTable>: ParsableArguments, CustomReflectable, Sendable {
    /// The given values as typed, by name.
    private(set) var values: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let words = try decoder.container(keyedBy: Key.self)
        for row in Table.rows {
            let key = Key(stringValue: row.name)
            values[row.name] =
                switch row.shape {
                case .single: try words.decode(Option<String?>.self, forKey: key).wrappedValue
                case .list: try words.decode(Option<[String]>.self, forKey: key).wrappedValue.joinedValue
                case .flag: try words.decode(Flag<Bool>.self, forKey: key).wrappedValue ? "true" : nil
                case .onOff: try words.decode(Flag<Bool?>.self, forKey: key).wrappedValue.map { "\($0)" }
                }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Table.rows.map { row in (label: row.name, value: Self.argument(row)) })
    }

    private static func argument(_ row: SettingRow) -> Any {
        let name = NameSpecification.customLong(row.name)
        return switch row.shape {
        case .single: Option<String?>(name: name, help: ArgumentHelp("\(row.help)", valueName: row.placeholder))
        case .list:
            Option<[String]>(
                wrappedValue: [], name: name, help: ArgumentHelp("\(row.help)", valueName: row.placeholder))
        case .flag: Flag<Bool>(wrappedValue: false, name: name, help: ArgumentHelp("\(row.help)"))
        case .onOff: Flag<Bool?>(name: name, inversion: .prefixedNo, help: ArgumentHelp("\(row.help)"))
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension [String] {
    /// The values of a repeated flag, joined in the form that the configuration reads; nil if there are none.
    fileprivate var joinedValue: String? { isEmpty ? nil : joined(separator: ",") }
}
