import ArgumentParser
import Music

extension ParameterValue {
    /// A value as users write it: a number, `on` or `off`, a name in any case, or comma-separated names; nil if it is
    /// none of these.
    init?(_ text: String, of parameter: Parameter, on track: Track? = nil) {
        let text = parameter == .root ? PitchClass(argument: text)?.name ?? text : text
        self.init(text, of: track.map { parameter.row.kind(on: $0) } ?? parameter.row.anyKind)
    }

    init?(_ text: String, of kind: ParameterKind) {
        switch kind {
        case .number, .integer, .numbers:
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

    /// The value as users write it.
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
    /// The parameter of the whole instrument with a name as users write it: as in the state, in any case, with or
    /// without hyphens (`sync.offset-in`), or by its method (`tempo`).
    init?(ofWhole text: String) {
        let name = text.lowercased().filter { $0 != "-" && $0 != "_" }
        let named = Parameter.ofWhole.first { $0.row.name.lowercased() == name || $0.row.method == "\(name).set" }
        guard let named else { return nil }
        self = named
    }

    /// The names of its option on tracks: as usual in a shell, and as in the state.
    var optionNames: NameSpecification {
        let names = optionName == row.argument ? [optionName] : [optionName, row.argument]
        return NameSpecification(names.map { NameSpecification.Element.customLong($0) })
    }

    /// The name of its option on tracks: `velocity-normal`.
    var optionName: String {
        row.argument.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    /// The allowed values in words, as on the command line.
    var argumentValues: String { row.anyKind.argumentValues }

    /// The values allowed on a track in words, as on the command line.
    func argumentValues(on track: Track) -> String { row.kind(on: track).argumentValues }

    /// Values to offer as completions.
    var argumentNames: [String] { row.anyKind.argumentNames }
}

extension ParameterKind {
    /// The allowed values in words, as on the command line.
    var argumentValues: String {
        switch self {
        case .toggle: "on or off"
        case .selection(let names): "any of \(names.joined(separator: ",")) with commas between, or none"
        case .number(_, let unit, _, _) where unit != .none, .integer(_, let unit) where unit != .none,
            .numbers(_, let unit) where unit != .none:
            "\(expected) \(unit.rawValue)"
        default: expected
        }
    }

    /// The placeholder for the value in help.
    var argumentName: String {
        switch self {
        case .toggle: "on|off"
        case .number(_, let unit, _, _) where unit != .none, .integer(_, let unit) where unit != .none,
            .numbers(_, let unit) where unit != .none:
            unit.rawValue
        case .number, .integer, .numbers: "number"
        case .choice, .name: "name"
        case .selection: "names"
        }
    }

    /// Values to offer as completions.
    var argumentNames: [String] {
        switch self {
        case .number, .integer: []
        case .numbers(let numbers, _): numbers.map(String.init)
        case .toggle: Switch.allCases.map(\.rawValue)
        case .choice(let names), .name(let names): names
        case .selection(let names): names + ["none"]
        }
    }
}
