/// The instrument's parameters, each a value with a range: a row of the table below.
///
/// A new setting is a new row. The document's storage, the change that sets it, storage, the state and its patches,
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
    case reverbTime
    case reverbLevel
    case reverbEarly
    case reverbLowCut
    case delaySteps
    case delayFeedback
    case delayLevel
    case loud
    case syncSource
    case syncLead
    case syncQuantum
    case syncStartStop
    case syncOffsetIn
    case syncOffsetOut
    case syncLatency
    case launchQuantum
    case diceSeed
    // Of each track.
    case mute
    case mutedDrums
    case solo
    case gain
    case pan
    case tone
    case preset
    case kit
    case reverb
    case delay
    case duck
    case drift
    case width
    case filter
    case resonance
    case drive
    case lfoTo
    case lfoShape
    case lfoRate
    case lfoDepth
    case dynamics
    case sway
    case places
    case target
    case channel
    case velocityNormal
    case velocityAccent
    case arm
    case accents

    private static func row(of parameter: Parameter) -> ParameterRow {
        switch parameter {
        case .tempo:
            ParameterRow(
                "bpm", .whole, .number(20...300, .beatsPerMinute, decimals: 2), default: 120, home: .pattern,
                method: "tempo.set", title: "Tempo", "Speed of the step clock in beats per minute, to two decimals.")
        case .swing:
            ParameterRow(
                "swing", .whole, .number(0.5...0.75), default: 0.5, home: .pattern, title: "Swing",
                "Where an odd step lies between its even neighbours; 0.5 is straight.")
        case .scale:
            ParameterRow(
                "scale", .whole, .choice(of: Scale.self), default: .choice(Scale.major), home: .pattern,
                title: "Scale", "Which notes can be written; existing notes stay.")
        case .root:
            ParameterRow(
                "root", .whole, .choice(of: PitchClass.self), default: "C", home: .pattern, title: "Root",
                "The note that the scale starts on, with sharps.")
        case .length:
            ParameterRow(
                "length", .whole, .integer(8...SlotNotes.stepCount, .steps), default: 32, home: .pattern,
                title: "Length", "How many steps are played and shown; the others are kept.")
        case .colors:
            ParameterRow(
                "colors", .whole, .choice(of: ColorMode.self), default: .choice(ColorMode.chromatic),
                argument: "mode", title: "Colours", "How the grid colours pitch classes.")
        case .ghosts:
            ParameterRow(
                "ghosts", .whole, .toggle, default: true, argument: "on", title: "Ghosts",
                "Whether a track shows where the others have notes.")
        case .reverbTime:
            ParameterRow(
                "reverb.time", .whole, .number(0.3...8, .seconds), default: 1.8, home: .sounds, title: "Reverb time",
                "How long the reverb takes to fall by 60 dB.")
        case .reverbLevel:
            ParameterRow(
                "reverb.level", .whole, .number(-60...6, .decibels), default: 0, home: .sounds,
                title: "Reverb level", "Loudness of the reverb in the mix.")
        case .reverbEarly:
            ParameterRow(
                "reverb.early", .whole, .number(0...1), default: 0, new: 0.6, home: .sounds,
                title: "Early reflections",
                "How much of the room's walls is heard before the reverb; the whole stays as loud.")
        case .reverbLowCut:
            ParameterRow(
                "reverb.lowCut", .whole, .number(0...400, .hertz), default: 0, new: 200, home: .sounds,
                title: "Reverb low cut",
                "Below this frequency nothing goes into the reverb: 60 and more, lower values as 60; 0 is off.")
        case .delaySteps:
            ParameterRow(
                "delay.steps", .whole, .integer(1...16, .steps), default: 3, home: .sounds, title: "Delay steps",
                "Steps from one echo to the next; times above 1.5 s are halved.")
        case .delayFeedback:
            ParameterRow(
                "delay.feedback", .whole, .number(0...0.9), default: 0.35, home: .sounds, title: "Delay feedback",
                "How loud an echo is relative to the one before it.")
        case .delayLevel:
            ParameterRow(
                "delay.level", .whole, .number(-60...6, .decibels), default: 0, home: .sounds, title: "Delay level",
                "Loudness of the echoes in the mix.")
        case .loud:
            ParameterRow(
                "master.loud", .whole, .number(0...9, .decibels), default: 0, home: .sounds, title: "Loudness",
                "How far the mix is driven into the limiter, which makes it louder and denser.")
        case .syncSource:
            ParameterRow(
                "sync.source", .whole, .choice(of: SyncSource.self), default: .choice(SyncSource.own),
                title: "Sync", "The source of tempo and position; auto follows the best that is present.")
        case .syncLead:
            ParameterRow(
                "sync.lead", .whole, .selection(of: SyncLead.self), default: .selection([]),
                title: "Lead", "Who receives our tempo and position.")
        case .syncQuantum:
            ParameterRow(
                "sync.quantum", .whole, .integer(1...64, .beats), default: 4, title: "Quantum",
                "Join a timeline on a multiple of this many beats.")
        case .syncStartStop:
            ParameterRow(
                "sync.startStop", .whole, .toggle, default: true, title: "Start and stop",
                "Whether starts and stops are shared with a timeline.")
        case .syncOffsetIn:
            ParameterRow(
                "sync.offsetIn", .whole, .number(-200...200, .milliseconds, curve: .centred), default: 0,
                title: "Offset in", "Play this much later than the source; negative for earlier.")
        case .syncOffsetOut:
            ParameterRow(
                "sync.offsetOut", .whole, .number(-200...200, .milliseconds, curve: .centred), default: 0,
                title: "Offset out", "Send our MIDI clock this much later than it is heard; negative for earlier.")
        case .syncLatency:
            ParameterRow(
                "sync.latency", .whole, .choice(["none", "compensate"]), default: "none", title: "Latency",
                "Whether notes and clock are sent as they are played, or delayed by the latency of our sound.")
        case .launchQuantum:
            ParameterRow(
                "launch.quantum", .whole, .choice(of: LaunchQuantum.self), default: .choice(LaunchQuantum.loop),
                title: "Launch", "Which steps queued slots and scenes begin to play on.")
        case .diceSeed:
            ParameterRow(
                "dice.seed", .whole, .integer(Dice.seeds), default: 1, home: .pattern, title: "Dice",
                "The seed of the dice that decide chances: the same seed plays the same notes.")
        case .mute:
            ParameterRow(
                "mute", .everyTrack, .toggle, default: false, home: .mixer, title: "Mute",
                "Whether the track is silent, unless it is soloed.")
        case .mutedDrums:
            ParameterRow(
                "mutedDrums", .tracks([.rhythm]), .selection(of: Drum.self), default: .selection([]), home: .mixer,
                title: "Muted drums", "Which drums are silent, as `mute` silences a track: no sound, no MIDI, no duck.")
        case .solo:
            ParameterRow(
                "solo", .everyTrack, .toggle, default: false, home: .mixer, isExclusive: true, title: "Solo",
                "Whether the track is the only one that sounds.")
        case .gain:
            ParameterRow(
                "gain", .everyTrack, .number(-60...12, .decibels, curve: .fader), default: 0, home: .mixer,
                motion: -24...6, title: "Gain", "Loudness of the track in the mix.")
        case .pan:
            ParameterRow(
                "pan", .everyTrack, .number(-1...1, curve: .centred), default: 0, home: .mixer,
                motion: -1...1, title: "Pan", "Place in the stereo mix: -1 is left, 0 the centre, 1 right.")
        case .tone:
            ParameterRow(
                "tone", .everyTrack, .number(-24...24, .semitones, curve: .centred), default: 0, home: .sounds,
                motion: -24...24, title: "Tone",
                "How far the filters of the track's sounds are shifted, darker or brighter.")
        case .preset:
            sound(
                "preset", of: Track.allCases.filter(\.isPitched), ParameterKind.choice,
                "The sound of the track's notes.")
        case .kit:
            sound(
                "kit", of: [.rhythm], ParameterKind.name,
                "The sound of the drums: a built-in kit, or one of samples.")
        case .reverb:
            ParameterRow(
                "reverb", .everyTrack, .number(-60...0, .decibels, curve: .fader), default: -60, home: .sounds,
                motion: -36...0, title: "Reverb", "How much of the track goes to the reverb; -60 is nothing.")
        case .delay:
            ParameterRow(
                "delay", .everyTrack, .number(-60...0, .decibels, curve: .fader), default: -60, home: .sounds,
                motion: -36...0, title: "Delay", "How much of the track goes to the delay; -60 is nothing.")
        case .duck:
            ParameterRow(
                "duck", .everyTrack, .number(0...12, .decibels), default: 0, home: .sounds, title: "Duck",
                "How far each kick ducks the track; drums are not ducked.")
        case .drift:
            ParameterRow(
                "drift", .everyTrack, .number(0...1), default: 0, new: 0.5, home: .sounds, title: "Drift",
                "How far each start of a note differs from the others in phase, pitch and level.")
        case .width:
            ParameterRow(
                "width", .everyTrack, .number(0...1), default: 0, home: .sounds, motion: 0...1, title: "Width",
                "How far the track spreads over both sides; its port and its sends stay mono.")
        case .filter:
            ParameterRow(
                "filter", .everyTrack, .number(-1...1, curve: .centred), default: 0, home: .sounds,
                motion: -1...1, title: "Filter",
                "Below 0 a low-pass, down to 80 Hz; above 0 a high-pass, up to 8 kHz; at 0 none.")
        case .resonance:
            ParameterRow(
                "resonance", .everyTrack, .number(0.5...8), default: 0.707, home: .sounds, title: "Resonance",
                "How much the filter stresses its cutoff frequency: its Q, 0.707 for none.")
        case .drive:
            ParameterRow(
                "drive", .everyTrack, .number(0...1), default: 0, home: .sounds, motion: 0...1, title: "Drive",
                "How far the track is driven into a soft limit, at about the same loudness.")
        case .lfoTo:
            ParameterRow(
                "lfoTo", .everyTrack, .choice(of: LFOTarget.self), default: .choice(LFOTarget.filter), home: .sounds,
                title: "LFO to", "What the track's low-frequency oscillator moves.")
        case .lfoShape:
            ParameterRow(
                "lfoShape", .everyTrack, .choice(of: LFOShape.self), default: .choice(LFOShape.triangle),
                home: .sounds, title: "LFO shape", "How the oscillator moves in each of its cycles.")
        case .lfoRate:
            ParameterRow(
                "lfoRate", .everyTrack, .numbers([1, 2, 4, 8, 16, 32, 64], .steps), default: 16, home: .sounds,
                title: "LFO rate", "Sixteenths in one of the oscillator's cycles.")
        case .lfoDepth:
            ParameterRow(
                "lfoDepth", .everyTrack, .number(0...1), default: 0, home: .sounds, motion: 0...1,
                title: "LFO depth", "How far the oscillator moves its target.")
        case .dynamics:
            ParameterRow(
                "dynamics", .everyTrack, .choice(of: Dynamics.self), default: .choice(Dynamics.two), home: .sounds,
                title: "Dynamics", "Whether keys have two levels, or one for each velocity.")
        case .sway:
            ParameterRow(
                "sway", .tracks(Track.allCases.filter(\.isPitched)), .number(0...1), default: 0, new: 1,
                home: .sounds, title: "Sway",
                "How far held notes of presets that would stand still move by themselves.")
        case .places:
            ParameterRow(
                "places", .tracks([.rhythm]), .number(0...1), default: 0, new: 1, home: .sounds, title: "Places",
                "How far the drums are apart: at 0 all are in one place.")
        case .target:
            ParameterRow(
                "target", .everyTrack, .choice(of: NoteTarget.self), default: .choice(NoteTarget.voices),
                title: "Target", "Where the track's notes go: to its own voices, to the port midi_out, or to both.")
        case .channel:
            ParameterRow(
                "channel", .everyTrack, ByTrack(.integer(1...16)),
                default: ByTrack { .number(Double($0.defaultChannel)) }, title: "MIDI channel",
                "The MIDI channel that plays the track, and that its notes are sent on.")
        case .velocityNormal:
            ParameterRow(
                "velocityNormal", .everyTrack, .integer(1...127), default: 64, title: "Velocity",
                "The MIDI velocity of a normal note that is sent.")
        case .velocityAccent:
            ParameterRow(
                "velocityAccent", .everyTrack, .integer(1...127), default: 96, title: "Accent velocity",
                "The MIDI velocity of an accent, or of a note with sustain, that is sent.")
        case .arm:
            ParameterRow(
                "arm", .everyTrack, .toggle, default: true, title: "Arm",
                "Whether the track's keys and movements are recorded while record is on; they sound anyway.")
        case .accents:
            ParameterRow(
                "accents", .everyTrack, .choice(["hard", "all", "none"]), default: "hard", title: "Accents",
                "Which keys played on the track are accents: those struck hard, all or none.")
        }
    }

    /// A choice among the sounds that tracks have.
    private static func sound(
        _ name: String, of tracks: [Track], _ kind: ([String]) -> ParameterKind, _ summary: String
    ) -> ParameterRow {
        ParameterRow(
            name, .tracks(tracks), ByTrack { kind($0.soundNames) },
            default: ByTrack { .choice($0.soundNames[0]) }, home: .sounds,
            title: name.prefix(1).uppercased() + name.dropFirst(), summary)
    }

    /// The parameter's row in the table.
    public var row: ParameterRow { Parameter.rows[index] }

    private static let rows = allCases.map(row)

    /// Whether it belongs to the pattern: is saved with it, and set, undone and redone with a load.
    public var isOfPattern: Bool { Parameter.belongsToPattern[index] }

    private static let belongsToPattern = rows.map { $0.home == .pattern || $0.home == .sounds }

    /// Whether a change by hand is an undo step: sounds and mixer, except what silences.
    public var isInHistory: Bool { Parameter.areInHistory[index] }

    private static let areInHistory = allCases.map { parameter in
        [.sounds, .mixer].contains(parameter.row.home) && ![.mute, .mutedDrums, .solo].contains(parameter)
    }

    package static let ofMixer = allCases.filter { $0.row.home == .mixer }

    /// The parameters that motions can move, in the order of the table.
    public static let movable = allCases.filter { $0.row.motion != nil }

    /// The parameter's index in the table. Files and protocols use names, so indices may change.
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
