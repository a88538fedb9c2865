import ArgumentParser
import Music
import Wire

/// An option for each parameter of tracks: `--gain -6`. A new row of the table is a new option.
///
/// The parser asks a type for its options by reflection, and for their values by decoding; both come from the table here
/// rather than from stored properties.
struct ParameterOptions: ParsableArguments, CustomReflectable {
    private var texts: [Parameter: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionKey.self)
        for parameter in Parameter.ofTracks {
            let option = try container.decode(
                Option<String?>.self, forKey: OptionKey(stringValue: parameter.row.argument))
            texts[parameter] = option.wrappedValue
        }
    }

    func values(on track: Track) throws -> [Parameter: ParameterValue] {
        var values: [Parameter: ParameterValue] = [:]
        for parameter in Parameter.ofTracks {
            guard let text = texts[parameter] else { continue }
            guard parameter.row.scope.contains(track) else {
                throw ValidationError("--\(parameter.optionName): \(track.name) does not have it")
            }
            guard let value = ParameterValue(text, of: parameter, on: track) else {
                let expected = parameter.argumentValues(on: track)
                throw ValidationError("--\(parameter.optionName): expected \(expected), got '\(text)'")
            }
            values[parameter] = value
        }
        return values
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
        Option(names: parameter.optionNames, of: parameter.row.anyKind, parameter.row.summary)
    }
}

/// An option for each value that notes have: `--level -6`.
struct NoteValueOptions: ParsableArguments, CustomReflectable {
    private(set) var values: [NoteValue: Int] = [:]
    /// Why the values cannot be used: the parser reports no errors of ``init(from:)``.
    private var problem: String?

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionKey.self)
        for value in NoteValue.allCases {
            let row = value.row
            let option = try container.decode(Option<String?>.self, forKey: OptionKey(stringValue: row.name))
            guard let text = option.wrappedValue else { continue }
            guard let number = ParameterValue(text, of: row.kind).flatMap(value.number) else {
                problem = problem ?? "--\(row.name): expected \(row.kind.argumentValues), got '\(text)'"
                continue
            }
            values[value] = number
        }
    }

    func validate() throws {
        if let problem { throw ValidationError(problem) }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: NoteValue.allCases.map { value in
                let row = value.row
                let option = Option<String?>(names: [.customLong(row.name)], of: row.kind, row.summary)
                return (label: "_" + row.name, value: option as Any)
            }, displayStyle: .struct)
    }
}

/// The key of an option among the parsed ones.
private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension Option<String?> {
    fileprivate init(names: NameSpecification, of kind: ParameterKind, _ summary: String) {
        self.init(
            name: names, parsing: .unconditional,
            help: ArgumentHelp(
                "\(summary) \(kind.argumentValues.prefix(1).uppercased())\(kind.argumentValues.dropFirst()).",
                valueName: kind.argumentName),
            completion: .list(kind.argumentNames))
    }
}
