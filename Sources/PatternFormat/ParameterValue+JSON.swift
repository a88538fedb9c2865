import JSON
import Music

extension ParameterValue {
    /// The value that JSON stands for, nil when it can be none.
    public init?(_ json: JSONValue) {
        switch json {
        case .bool(let isOn): self = .toggle(isOn)
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .string(let name): self = .choice(name)
        case .null, .array, .object: return nil
        }
    }

    /// The value as JSON.
    public var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .bool(isOn)
        case .choice(let name): .string(name)
        }
    }
}
