/// Everything of the instrument that is one value with a range: a row of the table below.
///
/// A new setting is a new row. The document's storage, the change that sets it, the journal, the state and its patches,
/// the control protocol's schemas and errors, the command line, controllers, and the score's parameter block follow from it.
public enum Parameter: UInt8, CaseIterable, Sendable {
    // Of the whole instrument.
    case tempo
    case swing
    case scale
    case root
    case length
    case colors
    case ghosts
    // Of each track.
    case mute
    case solo
    case gain
    case pan
    case tone

    private static func row(of parameter: Parameter) -> ParameterRow {
        switch parameter {
        case .tempo:
            ParameterRow(
                "bpm", .whole, .number(Tempo.range, .beatsPerMinute, decimals: 2), default: 120, home: .pattern,
                method: "tempo.set", title: "Tempo", "Speed of the step clock in beats per minute, to two decimals.")
        case .swing:
            ParameterRow(
                "swing", .whole, .number(0.5...0.75), default: 0.5, home: .pattern, title: "Swing",
                "Where an odd step lies between its even neighbours; 0.5 is straight.")
        case .scale:
            ParameterRow(
                "scale", .whole, .choice(of: Scale.self), default: .choice(Scale.major), home: .pattern,
                title: "Scale", "Which notes can be written; notes that are there stay.")
        case .root:
            ParameterRow(
                "root", .whole, .choice(of: PitchClass.self), default: "C", home: .pattern, title: "Root",
                "The note that the scale starts on, with sharps.")
        case .length:
            ParameterRow(
                "length", .whole, .integer(8...Cells.stepCount, .steps), default: 32, home: .pattern,
                title: "Length", "How many steps are played and shown; the others are kept.")
        case .colors:
            ParameterRow(
                "colors", .whole, .choice(of: ColorMode.self), default: .choice(ColorMode.chromatic),
                argument: "mode", title: "Colours", "How the grid colours pitch classes.")
        case .ghosts:
            ParameterRow(
                "ghosts", .whole, .toggle, default: true, argument: "on", title: "Ghosts",
                "Whether a track shows where the others have notes.")
        case .mute:
            ParameterRow(
                "mute", .everyTrack, .toggle, default: false, title: "Mute",
                "Whether the track is silent, unless it is soloed.")
        case .solo:
            ParameterRow(
                "solo", .everyTrack, .toggle, default: false, isExclusive: true, title: "Solo",
                "Whether the track is the only one that sounds.")
        case .gain:
            ParameterRow(
                "gain", .everyTrack, .number(-60...12, .decibels, curve: .fader), default: 0, title: "Gain",
                "Loudness of the track in the mix.")
        case .pan:
            ParameterRow(
                "pan", .everyTrack, .number(-1...1, curve: .centred), default: 0, title: "Pan",
                "Place in the stereo mix: -1 is left, 0 the centre, 1 right.")
        case .tone:
            ParameterRow(
                "tone", .everyTrack, .number(-24...24, .semitones, curve: .centred), default: 0, home: .sounds,
                title: "Tone", "How far the filters of the track's sounds are moved, darker or brighter.")
        }
    }

    /// What the table says of the parameter.
    public var row: ParameterRow { Parameter.rows[index] }

    private static let rows = allCases.map(row)

    /// Whether it belongs to the pattern: is saved with it, and set, undone and redone with a load.
    public var isOfPattern: Bool { Parameter.belongsToPattern[index] }

    private static let belongsToPattern = rows.map { $0.home != .instrument }

    /// The parameter's place in the table, from 0. Files and protocols know parameters by name: places may change.
    public var index: Int {
        @_noLocks @_noAllocation get { Int(rawValue) }
    }

    /// The parameter with a row's ``ParameterRow/name``, nil when there is none.
    public init?(name: String) {
        guard let parameter = Parameter.byName[name] else { return nil }
        self = parameter
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.row.name, $0) })

    /// The parameters of the whole instrument, in the order of the table.
    public static let ofWhole = allCases.filter { $0.row.scope == .whole }

    /// The parameters that a track has, in the order of the table.
    public static func of(_ track: Track) -> [Parameter] { byTrack[track.rawValue] }

    private static let byTrack = Track.allCases.map { track in allCases.filter { $0.row.scope.contains(track) } }
}
