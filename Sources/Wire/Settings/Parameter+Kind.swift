import JSON
import Music
import PatternFormat

extension Parameter {
    /// The kind of its values, on any track.
    var values: Kind<ParameterValue> { .values(row.anyKind) }

    /// What a new instrument has: one value, or an object with each track's where they differ.
    var initialValue: JSONValue {
        guard row.scope != .whole else { return row.defaultValue().json }
        let values = Track.allCases.filter(row.scope.contains).map {
            JSONObject.Member(name: $0.name, value: row.defaultValue(on: $0).json)
        }
        return values.allSatisfy { $0.value == values[0].value } ? values[0].value : .object(JSONObject(values))
    }

    /// Whether everything that has settings has this one.
    var isEverywhere: Bool { row.scope == .whole || row.scope == .everyTrack }

    /// The parameters that at least one track has, in the order of the table.
    public static let ofTracks = allCases.filter { $0.row.scope != .whole }
}
