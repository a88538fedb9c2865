import JSON
import Music
import PatternFormat

extension Parameter {
    /// The kind of its values, on any track.
    var values: Kind<ParameterValue> { .values(row.anyKind) }

    /// Whether everything that has settings has this one.
    var isEverywhere: Bool { row.scope == .whole || row.scope == .everyTrack }

    /// The parameters that at least one track has, in the order of the table.
    public static let ofTracks = allCases.filter { $0.row.scope != .whole }
}
