import JSON

extension Kind {
    /// The same values, which count something: programs read what in the schema's `x-unit`.
    func counted(in unit: String) -> Kind { described(as: ["x-unit": .string(unit)]) }

    /// The same values with a sentence on what they are.
    func meaning(_ summary: String) -> Kind { described(as: ["description": .string(summary)]) }
}
