import JSON
import Music
import PatternFormat

extension Parameter {
    /// The kind of its values, where tracks that have it differ that of the first.
    var values: Kind<ParameterValue> { .values(row.kind(on: Track.allCases.first { row.scope.contains($0) })) }

    /// The parameters that at least one track has, in the order of the table.
    public static let ofTracks = allCases.filter { $0.row.scope != .whole }
}
