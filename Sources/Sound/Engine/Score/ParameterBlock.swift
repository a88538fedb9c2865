import Music

/// The value of every parameter of the table, as numbers: a plain value in the score.
///
/// Independent of the existing parameters: a new row of the table is automatically in the block.
public struct ParameterBlock: Sendable, BitwiseCopyable {
    /// One place for each row of the table and each track; a global parameter uses the first track's.
    var numbers: InlineArray<256, Double>

    /// How many numbers there are.
    static var size: Int { 256 }

    /// The defaults.
    public init() { self = .defaults }

    /// A block with a function's values for each parameter on each track; the track is nil for global parameters.
    public init(_ value: (Parameter, Track?) -> Double) {
        numbers = InlineArray(repeating: 0)
        for (parameter, track) in Self.places { self[parameter, track?.rawValue ?? 0] = value(parameter, track) }
    }

    /// Each parameter with each track; a global parameter once, with nil.
    public static let places = Parameter.allCases.flatMap { parameter -> [(Parameter, Track?)] in
        parameter.row.scope == .whole ? [(parameter, nil)] : Track.allCases.map { (parameter, $0) }
    }

    private static let defaults: ParameterBlock = {
        precondition(Parameter.allCases.count * trackCount <= size, "the block has room for the table")
        let values = ParameterValues()
        return ParameterBlock { values.number($0, $1) }
    }()

    /// The number of a parameter on a track, or of a global one: 0 or 1 for a toggle, the index for a choice.
    public subscript(parameter: Parameter, track: Int = 0) -> Double {
        get { numbers[parameter.place(on: track)] }
        set { numbers[parameter.place(on: track)] = newValue }
    }
}

/// The parameters of a score, read in place; valid as long as the score.
@safe
struct LiveParameters: BitwiseCopyable {
    private let numbers: UnsafePointer<Double>

    /// The numbers of a ``ParameterBlock``.
    init(_ numbers: UnsafePointer<Double>) { unsafe self.numbers = numbers }

    /// The number of a global parameter.
    subscript(parameter: Parameter) -> Double {
        get { unsafe numbers[parameter.place(on: 0)] }
    }

    /// The drums that are muted.
    var mutedDrums: DrumSet { DrumSet(bits: UInt16(of(drumTrack)[.mutedDrums])) }

    /// The parameters of a track; valid as long as these are.
    func of(_ track: Int) -> TrackParameters { unsafe TrackParameters(numbers, track: track) }
}

/// One track's part of ``LiveParameters``.
@safe
struct TrackParameters: BitwiseCopyable {
    private let numbers: UnsafePointer<Double>
    private let track: Int

    fileprivate init(_ numbers: UnsafePointer<Double>, track: Int) {
        unsafe self.numbers = numbers
        self.track = track
    }

    /// Whether the loudness of keys has no steps.
    var isDynamic: Bool { self[.dynamics] != 0 }

    /// The number of a parameter of the track.
    subscript(parameter: Parameter) -> Double {
        get { unsafe numbers[parameter.place(on: track)] }
    }
}

extension Parameter {
    /// The parameter's place in the block.
    fileprivate func place(on track: Int) -> Int { index * trackCount + track }
}

/// The sequencer's part of a score without the cells.
struct ScoreSettings: BitwiseCopyable {
    private let bpm: Double
    private let tempoRevision: Int
    private let swing: Double
    /// Steps that are played.
    let length: Int
    private let sync: SyncSettings
    /// What decides which notes play.
    let dice: Dice
    /// Tracks that are muted, or not the soloed one.
    let silent: TrackSet
    /// The drums that are muted.
    let mutedDrums: DrumSet
    /// Whether FILL is held.
    let isFilling: Bool
    /// The step of the song from which no notes start.
    let end: Int64

    init(_ score: ScoreReader) {
        let parameters = score.parameters
        bpm = parameters[.tempo]
        tempoRevision = score.tempoRevision
        swing = parameters[.swing]
        length = max(1, Int(parameters[.length]))
        sync = SyncSettings(parameters)
        dice = Dice(seed: parameters[.diceSeed])
        silent = score.silent
        mutedDrums = parameters.mutedDrums
        isFilling = score.isFilling
        end = score.end
    }

    /// Whether a track is muted, or another soloed.
    func isSilent(_ track: Int) -> Bool { silent.contains(track) }

    /// Whether a note is a muted drum.
    func isMuted(_ track: Int, _ note: Int) -> Bool { track == drumTrack && mutedDrums.contains(note) }

    /// The transport's part of the settings.
    func transport(sampleRate: Double) -> TransportSettings {
        TransportSettings(
            bpm: bpm, tempoRevision: tempoRevision, swing: swing, length: length, sync: sync, sampleRate: sampleRate)
    }
}
