import ArgumentParser
import Music
import Wire

/// An option for each parameter that tracks have: `--gain -6`. A new row of the table is a new option.
///
/// The parser asks a type for its options by reflection, and for their values by decoding; both come from the table here
/// rather than from stored properties.
struct ParameterOptions: ParsableArguments, CustomReflectable {
    /// The values that were given.
    private(set) var values: [Parameter: ParameterValue] = [:]
    /// What is wrong with the first that is none: the parser takes errors from `validate` only.
    private var problem: String?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for parameter in Parameter.ofTracks {
            let option = try container.decode(
                Option<String?>.self, forKey: Key(stringValue: parameter.row.argument))
            guard let text = option.wrappedValue else { continue }
            guard let value = ParameterValue(text, of: parameter) else {
                problem = problem ?? "--\(parameter.optionName): expected \(parameter.argumentValues), got '\(text)'"
                continue
            }
            values[parameter] = value
        }
    }

    func validate() throws {
        if let problem { throw ValidationError(problem) }
    }

    var customMirror: Mirror {
        // A wrapped property is reflected with an underscore before its name.
        Mirror(
            self,
            children: Parameter.ofTracks.map {
                (label: "_" + $0.row.argument, value: ParameterOptions.option(for: $0) as Any)
            }, displayStyle: .struct)
    }

    private static func option(for parameter: Parameter) -> Option<String?> {
        Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "\(parameter.row.summary) \(parameter.argumentValues.prefix(1).uppercased())\(parameter.argumentValues.dropFirst()).",
                valueName: parameter.argumentName),
            completion: .list(parameter.argumentNames))
    }
}
