import ArgumentParser
import Music

extension ParameterValue {
    /// A value as people write it: a number, `on` or `off`, a name in whatever case, or names with commas between; nil when
    /// it is none.
    init?(_ text: String, of parameter: Parameter, on track: Track? = nil) {
        switch track.map({ parameter.row.kind(on: $0) }) ?? parameter.row.anyKind {
        case .number, .integer:
            guard let number = Double(text), number.isFinite else { return nil }
            self = .number(number)
        case .toggle:
            guard let value = Switch(rawValue: text.lowercased()) else { return nil }
            self = .toggle(value.isOn)
        case .choice(let names):
            guard let name = names.first(where: { $0.lowercased() == text.lowercased() }) else { return nil }
            self = .choice(name)
        case .name(let names):
            self = .choice(names.first { $0.lowercased() == text.lowercased() } ?? text)
        case .selection(let names):
            let words = text == "none" ? [] : text.lowercased().split(separator: ",")
            let chosen = words.compactMap { word in names.first { $0.lowercased() == word } }
            guard chosen.count == words.count else { return nil }
            self = .selection(chosen)
        }
    }

    /// The value as people write it.
    var argument: String {
        switch self {
        case .number(let number): number.inWords
        case .toggle(let isOn): (isOn ? Switch.on : .off).rawValue
        case .choice(let name): name
        case .selection(let names): names.isEmpty ? "none" : names.joined(separator: ",")
        }
    }
}

extension Parameter {
    /// The name of the option that sets it on a track: `velocity-normal`.
    var optionName: String {
        row.argument.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    /// The values in words, as on the command line.
    var argumentValues: String {
        let row = row
        return switch row.anyKind {
        case .toggle: "on or off"
        case .selection(let names): "any of \(names.joined(separator: ",")) with commas between, or none"
        case .number(_, let unit, _, _) where unit != .none, .integer(_, let unit) where unit != .none:
            "\(row.anyKind.expected) \(unit.rawValue)"
        default: row.anyKind.expected
        }
    }

    /// What stands for the value in help.
    var argumentName: String {
        switch row.anyKind {
        case .toggle: "on|off"
        case .number(_, let unit, _, _) where unit != .none, .integer(_, let unit) where unit != .none: unit.rawValue
        case .number, .integer: "number"
        case .choice, .name: "name"
        case .selection: "names"
        }
    }

    /// Values that can be offered, for completions.
    var argumentNames: [String] {
        switch row.anyKind {
        case .number, .integer: []
        case .toggle: Switch.allCases.map(\.rawValue)
        case .choice(let names), .name(let names): names
        case .selection(let names): names + ["none"]
        }
    }
}
