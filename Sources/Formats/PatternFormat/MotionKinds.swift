import JSON
import Music

// How parameters move, in pattern files and methods: for each moving parameter, its points by step.
//
//     {"tone": [[0, -12], [16, 12]]}

extension Kind<Motions.Point> {
    /// A point of a parameter: its step and its value.
    public static func point(of parameter: Parameter) -> Kind {
        let number = Kind<ParameterValue>.values(parameter.row.kind())
        let expected = "a step and a value"
        return Kind(
            expected: expected,
            schema: [
                "type": "array", "prefixItems": [.object(Kind<Int>.step.schema.json), .object(number.schema.json)],
                "items": ["type": "number"], "minItems": 2, "maxItems": 2,
            ],
            throwing: { (value) throws(FieldError) in
                guard let pair = value.arrayValue, pair.count == 2 else {
                    throw FieldError(expected: expected, found: value)
                }
                let step = try Kind<Int>.step.value(of: pair[0], field: "[0]")
                let value = try number.value(of: pair[1], field: "[1]")
                return Motions.Point(step: step, value: value.number ?? 0)
            },
            writing: { [.integer($0.step), .number($0.value)] })
    }
}

extension Kind<Motions> {
    /// The points of all parameters that move, by name.
    public static let motions = Kind.object(
        schema: Schema([
            "type": "object",
            "properties": .object(
                JSONObject(lines, named: \.parameter.row.name) { .object($0.kind.schema.json) }),
        ]),
        reading: { (fields) throws(FieldError) in
            var motions = Motions()
            for (parameter, kind) in lines {
                let name = parameter.row.name
                for (index, point) in (try fields.optional(name, kind) ?? []).enumerated() {
                    guard motions[parameter, point.step] == nil else {
                        throw FieldError(
                            field: "\(name)[\(index)]", problem: .invalid("a second point on step \(point.step)"))
                    }
                    motions[parameter, point.step] = point.value
                }
            }
            return motions
        },
        writing: { motions in
            JSONObject(lines, named: \.parameter.row.name) { parameter, kind in
                let points = motions[parameter]
                return points.isEmpty ? nil : kind.json(of: points)
            }
        })

    private static let lines = Parameter.movable.map { parameter in
        (parameter: parameter, kind: Kind<[Motions.Point]>.array(of: Kind<Motions.Point>.point(of: parameter)))
    }
}
