import JSON
import Music
import PatternFormat

/// What an oscilloscope shows of the last thirtieth of a second, in thousandths of full scale.
public struct ScopeEvent: NotificationMessage {
    /// `scope`
    public static let method = Topic.scope.rawValue

    /// JACK's time of its end in µs.
    public var usecs: UInt64
    /// The lowest and the highest sample of each of 128 equal parts of the main output, left and right together, by
    /// turns: -1000 to 1000.
    public var main: [Int]
    /// The highest absolute sample of each track, in their order: 0 to 1000.
    public var peaks: [Int]

    /// What an oscilloscope shows.
    public init(usecs: UInt64, main: [Int], peaks: [Int]) {
        self.usecs = usecs
        self.main = main
        self.peaks = peaks
    }

    /// `{"usecs": t, "main": [min, max, ...], "tracks": {"melody": peak, ...}}`
    public static let kind = Kind<ScopeEvent>.record(
        Member("usecs", .jackTime, { Int(clamping: $0.usecs) }),
        Member(
            "main",
            .array(of: .integer(in: -1000...1000)).meaning(
                "The lowest and the highest sample of 128 parts, by turns, in thousandths of full scale."), \.main),
        Member("tracks", peaksKind, \.peaks),
        make: { ScopeEvent(usecs: UInt64($0), main: $1, peaks: $2) })

    private static let peaksKind = Kind<[Int]>.record(
        peak(.melody), peak(.chords), peak(.bass), peak(.rhythm), make: { [$0, $1, $2, $3] })

    private static func peak(_ track: Track) -> Member<[Int], Int> {
        Member(track.name, .integer(in: 0...1000), { $0[track.rawValue] })
    }
}
