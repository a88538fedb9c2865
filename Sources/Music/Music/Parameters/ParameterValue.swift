public enum ParameterValue: Hashable, Sendable {
    /// A number, whole or not.
    case number(Double)
    /// On or off.
    case toggle(Bool)
    /// A choice, by name.
    case choice(String)
    /// Any number of choices, by name.
    case selection([String])

    public static func choice(_ choice: some Named) -> ParameterValue { .choice(choice.name) }

    /// The number, nil for a value of another kind.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// Whether it is on, nil for a value of another kind.
    public var isOn: Bool? { if case .toggle(let isOn) = self { isOn } else { nil } }

    /// The choice's name, nil for a value of another kind.
    public var name: String? { if case .choice(let name) = self { name } else { nil } }

    /// The value as people read it.
    var words: String {
        switch self {
        case .number(let number): number.plain
        case .toggle(let isOn): isOn ? "true" : "false"
        case .choice(let name): name
        case .selection(let names): names.joined(separator: ", ")
        }
    }

    /// The names of a selection, nil for a value of another kind.
    public var names: [String]? { if case .selection(let names) = self { names } else { nil } }
}

extension ParameterValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringLiteral
{
    public init(floatLiteral number: Double) { self = .number(number) }
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    /// On or off.
    public init(booleanLiteral isOn: Bool) { self = .toggle(isOn) }
    public init(stringLiteral name: String) { self = .choice(name) }
}

/// One of a few values that files and the control socket know by name.
public protocol Named: CaseIterable, Equatable, Sendable {
    /// The name in files and on the control socket.
    var name: String { get }
}

extension Named where Self: RawRepresentable, RawValue == String {
    public var name: String { rawValue }
}

extension Named {
    /// The value with a name, nil when there is none.
    public init?(name: String) {
        guard let value = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = value
    }
}
