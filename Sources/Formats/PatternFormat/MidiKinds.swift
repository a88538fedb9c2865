import JSON
import Music

extension Kind<MidiTrigger> {
    /// `{"type": "cc", "channel": 1, "number": 7}`; the channel is left out, or null, for any.
    public static let trigger = Kind.record(
        Member("type", .name, \.kind), Member("channel", .channelOrNull, \.channel),
        Member("number", .integer(in: 0...127), \.number),
        make: { MidiTrigger($0, channel: $1, number: $2) })
}

extension Kind<Int?> {
    fileprivate static let channelOrNull = Kind(
        expected: "a channel from 1 to 16, or null for any",
        schema: ["type": ["integer", "null"], "minimum": 1, "maximum": 16],
        reading: { (value: JSONValue) -> Int?? in
            value.isNull ? .some(nil) : value.intValue.flatMap { (1...16).contains($0) ? .some($0) : nil }
        }, writing: { $0.map { .integer($0) } ?? .null })
}

extension Kind<MidiAction> {
    /// `{"method": "track.set", "params": {"track": "bass"}, "value": "gain"}`
    public static let action = Kind.record(
        Member("method", .string, \.method), .defaulted("params", .plainObject, [:], \.parameters),
        .optional("value", .string, \.value),
        make: { MidiAction($0, $1, value: $2) })
}

extension Kind<[String: ParameterValue]> {
    fileprivate static let plainObject = Kind(
        expected: "an object of numbers, booleans, strings and lists of strings", schema: ["type": "object"],
        reading: { json in
            guard let members = json.objectValue?.members else { return nil }
            var values: [String: ParameterValue] = [:]
            for member in members {
                guard let value = ParameterValue(member.value) else { return nil }
                values[member.name] = value
            }
            return values
        },
        writing: { values in
            var object = JSONObject()
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { object[name] = value.plainJSON }
            return .object(object)
        })
}

extension ParameterValue {
    /// The value as JSON, whole numbers without a point.
    fileprivate var plainJSON: JSONValue {
        if case .number(let number) = self, let whole = Int(exactly: number) { return .integer(whole) }
        return json
    }
}

extension Kind<MidiBinding> {
    /// `{"on": {"type": "cc", ...}, "to": {"method": "track.set", ...}}`
    public static let binding = Kind.record(
        Member("on", .trigger, \.trigger), Member("to", .action, \.action),
        make: { MidiBinding(on: $0, to: $1) })
}
