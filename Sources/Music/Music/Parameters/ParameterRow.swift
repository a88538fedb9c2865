/// A row of the table of parameters: everything about a parameter except its current value.
public struct ParameterRow: Sendable {
    /// The tracks that have a value of their own, or the whole.
    public enum Scope: Equatable, Sendable {
        /// The instrument as a whole.
        case whole
        /// Each of these tracks.
        case tracks([Track])

        public static let everyTrack = Scope.tracks(Track.allCases)

        /// Whether a track, or with nil the instrument as a whole, has a value.
        public func contains(_ track: Track?) -> Bool {
            switch (self, track) {
            case (.whole, nil): true
            case (.tracks(let tracks), let track?): tracks.contains(track)
            default: false
            }
        }
    }

    /// Where a parameter is saved, and what resets it.
    public enum Home: Sendable {
        /// The pattern: saved with it as a member of its own, and set, undone and redone with a load or an import.
        case pattern
        /// The same, saved in the pattern's member `sounds`.
        case sounds
        /// The mixer: loading a pattern leaves it as it is, a new start resets it.
        case mixer
        /// The instrument: loading a pattern leaves it as it is, and so does a new start.
        case instrument
    }

    /// The name in state, storage and files: `gain`, or with a group `reverb.time`.
    public let name: String
    public let scope: Scope
    public let home: Home
    /// Whether at most one track has it on: switching it on switches the others off.
    public let isExclusive: Bool
    /// The range that the grid shows of its motions; nil when it cannot move.
    public let motion: ClosedRange<Double>?
    /// The method that sets it: `track.set` for tracks; else named after the parameter or its group, as `reverb.set`.
    public let method: String
    /// The name among that method's parameters.
    public let argument: String
    /// A name for people, as on a slider.
    public let title: String
    /// Its description in one sentence.
    public let summary: String

    /// The values that it may have on any track: where choices differ from track to track, all of them.
    public let anyKind: ParameterKind

    private let kinds: ByTrack<ParameterKind>
    private let defaults: ByTrack<ParameterValue>
    private let newValues: ByTrack<ParameterValue>

    /// A row.
    ///
    /// - Parameters:
    ///   - kind: The values that it may have, which may differ from track to track.
    ///   - defaultValue: The value of a document without one, as those from before there was the parameter.
    ///   - newValue: The value of a new instrument; nil for the default.
    ///   - method: Nil for the usual method.
    ///   - argument: Nil for its name without the group.
    public init(
        _ name: String, _ scope: Scope, _ kind: ByTrack<ParameterKind>, default defaultValue: ByTrack<ParameterValue>,
        new newValue: ParameterValue? = nil, home: Home = .instrument, isExclusive: Bool = false,
        motion: ClosedRange<Double>? = nil, method: String? = nil, argument: String? = nil, title: String,
        _ summary: String
    ) {
        let path = name.split(separator: ".")
        self.name = name
        self.scope = scope
        self.home = home
        self.isExclusive = isExclusive
        self.motion = motion
        self.method = method ?? (scope == .whole ? "\(path[0]).set" : "track.set")
        self.argument = argument ?? String(path[path.count - 1])
        self.title = title
        self.summary = summary + (newValue.map { " New instruments have \($0.words)." } ?? "")
        kinds = kind
        defaults = defaultValue
        newValues = newValue.map { ByTrack($0) } ?? defaultValue
        let tracks = Track.allCases.filter(scope.contains)
        anyKind = tracks.dropFirst().reduce(kind[tracks.first]) { $0.union(kind[$1]) }
    }

    /// A row whose values are the same for all tracks.
    public init(
        _ name: String, _ scope: Scope, _ kind: ParameterKind, default defaultValue: ParameterValue,
        new newValue: ParameterValue? = nil, home: Home = .instrument, isExclusive: Bool = false,
        motion: ClosedRange<Double>? = nil, method: String? = nil, argument: String? = nil, title: String,
        _ summary: String
    ) {
        self.init(
            name, scope, ByTrack(kind), default: ByTrack(defaultValue), new: newValue, home: home,
            isExclusive: isExclusive, motion: motion, method: method, argument: argument, title: title, summary)
    }

    /// The values that the parameter may have on a track, or on the whole for nil.
    public func kind(on track: Track? = nil) -> ParameterKind { kinds[track] }

    /// The value of a document that does not say otherwise.
    public func defaultValue(on track: Track? = nil) -> ParameterValue { defaults[track] }

    /// A new instrument's value, which it says even where that is not the default.
    public func newValue(on track: Track? = nil) -> ParameterValue {
        scope.contains(track) ? newValues[track] : defaults[track]
    }
}

/// A value that is the same for every track, or one of its own for each.
public struct ByTrack<Value: Sendable>: Sendable {
    private let values: [Value]

    /// The same for every track.
    public init(_ value: Value) {
        values = [Value](repeating: value, count: Track.allCases.count)
    }

    public init(_ value: (Track) -> Value) {
        values = Track.allCases.map(value)
    }

    /// The value of a track, or of the whole for nil.
    public subscript(track: Track?) -> Value { values[track?.rawValue ?? 0] }
}
