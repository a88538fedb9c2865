import Instrument
import Music

/// Everything that the process callback reads of the instrument's state, published as a whole.
public struct Score: Sendable {
    /// The slots of all tracks, in the order of `Slot.all`.
    public var slots: [ScoreSlot]
    /// All parameters of the table, as numbers.
    public var parameters: ParameterBlock
    /// Which slot each track plays, and the launches that wait on it.
    public var launches: PerTrack<NumberedLaunches> = PerTrack(repeating: NumberedLaunches())
    /// Which tracks do not sound: muted, or another is soloed.
    public var isSilent: PerTrack<Bool>
    /// Counts how often the tempo was set: a lost source's tempo stays until it is set again.
    public var tempoRevision = 0
    /// Counts how often the whole pattern was replaced. A note that was recorded into one pattern is not written into
    /// the next.
    public var patternRevision = 0
    /// Whether FILL is held.
    public var isFilling = false
    /// The step of the song with which the notes end: no step of a track that starts with it or later has any.
    public var end = Int64.max
    /// Whether a port is connected to both the MIDI output and the MIDI input, so that notes may come back.
    public var isMidiCircular = false
    /// Keys and controllers of the MIDI input that are bound, and so do not play.
    public var bindings = BoundKeys()

    /// A new instrument's score: no notes, and every parameter's default.
    public init() {
        slots = Array(repeating: ScoreSlot(), count: Slot.all.count)
        parameters = ParameterBlock()
        isSilent = PerTrack(repeating: false)
    }

    /// A slot of a track.
    public subscript(slot: Slot) -> ScoreSlot {
        get { slots[slot.track.rawValue * slotCount + slot.index] }
        set { slots[slot.track.rawValue * slotCount + slot.index] = newValue }
    }

    /// The slot that a track plays.
    public subscript(playing track: Int) -> ScoreSlot {
        get { slots[track * slotCount + Int(launches[track].playing)] }
        set { slots[track * slotCount + Int(launches[track].playing)] = newValue }
    }
}

/// A score without its slots, as the callback reads it: a plain value; see ``Score``.
struct RtScore: BitwiseCopyable {
    let parameters: ParameterBlock
    let launches: PerTrack<NumberedLaunches>
    let silent: TrackSet
    let tempoRevision: Int
    let patternRevision: Int
    let isFilling: Bool
    let end: Int64
    let isMidiCircular: Bool
    let bindings: BoundKeys

    init(_ score: Score) {
        parameters = score.parameters
        launches = score.launches
        silent = TrackSet(score.isSilent)
        tempoRevision = score.tempoRevision
        patternRevision = score.patternRevision
        isFilling = score.isFilling
        end = score.end
        isMidiCircular = score.isMidiCircular
        bindings = score.bindings
    }
}

/// A one-shot command to the process callback, effective with the first frame of the next period.
public enum RtCommand: Sendable, BitwiseCopyable {
    case play
    case pause
    case stop
    /// Stop, but let the sound ring out, with motions frozen.
    case finish
    /// Go to a step, 0 to 31, modulo the length; whether the music plays does not change.
    case locate(step: Int32)
    /// Play notes (one bit each) of a track now with a normal or accented velocity (1 or 2); dropped if too late.
    case audition(track: Int32, notes: UInt16, velocity: UInt8)
    /// Pause because the driver was lost.
    case suspend
    /// Restore the state from before the driver was lost, unless an outside source drives the music.
    case restore(PlayState, SongStep)
    /// Start or stop recording the MIDI input while the music runs.
    case record(Bool)
    /// Release all keys and pedals at the MIDI input: their keyboard may be gone.
    case releaseKeys
    /// Stop for good, whatever the sources do: all voices fade within 5 ms. Sent before shutdown.
    case silence
}

/// A notice of the process callback to the control loop.
public enum RtNotice: Sendable, BitwiseCopyable {
    /// A step started.
    case step(StepNotice)
    /// A step of a track started between two of the song.
    case trackStep(TrackStepNotice)
    /// A note started before the step that it belongs to.
    case earlyNote(TrackStepNotice)
    /// A track's queued launch took effect with a step, whose own notice follows unless the step was missed.
    case launch(track: Int32, DoneLaunch)
    /// The clock is at a step that it has not started. Sent after each command to the transport, even one without
    /// effect, and when a source or a change of length moved the clock.
    case transport(state: PlayState, step: Int32, songStep: SongStep)
    /// A key's note has ended, and is ready to be written.
    case recorded(RecordedNote)
    /// A key's note has ended that was not recorded, while the music runs.
    case played(RecordedNote)
    /// A key went down while the music stands still, or such a key went up.
    case key(KeyNotice)
}

/// A step that started.
public struct StepNotice: Sendable, BitwiseCopyable {
    public var step: Int32
    /// The driver's frame on which it started.
    public var frame: Int64
    /// JACK's time of that frame in µs.
    public var usecs: UInt64
    /// The notes of each track that has a step starting with it, without those that started early.
    public var notes: PerTrack<StartedNotes>
    public var songStep: SongStep
    /// The steps, counted from the song's start, with which the tracks' slots began to play.
    public var firstSteps: PerTrack<Int64>
}

/// A step of a track, or an early note of one, that started between two steps of the song.
public struct TrackStepNotice: Sendable, BitwiseCopyable {
    public var track: UInt8
    /// The slot's step, from 0.
    public var step: UInt8
    /// The fraction of the song's step that had passed.
    public var part: Double
    /// The driver's frame on which it started.
    public var frame: Int64
    /// JACK's time of that frame in µs.
    public var usecs: UInt64
    public var notes: StartedNotes
}

/// Where in the song the music is.
public struct SongStep: Sendable, BitwiseCopyable, Equatable {
    /// The step, counted from the song's start.
    public var number: Int64
    /// The step with which the whole pattern's loop begins.
    public var origin: Int64

    /// A step of the song in the whole pattern's loop.
    @_noLocks @_noAllocation
    public init(_ number: Int64, in loop: Loop) {
        self.number = number
        origin = loop.origin
    }
}

/// The notes of a track that a step starts.
public struct StartedNotes: Sendable, BitwiseCopyable, Equatable {
    var heads = NoteSet()
    var accents = NoteSet()

    @_noLocks @_noAllocation
    init() {}

    mutating func insert(_ number: Int, isAccent: Bool) {
        let note = NoteSet(bits: 1 << UInt16(truncatingIfNeeded: number))
        heads = NoteSet(bits: heads.bits | note.bits)
        if isAccent { accents = NoteSet(bits: accents.bits | note.bits) }
    }

    /// The notes, without their values.
    public var stepNotes: StepNotes {
        var notes = StepNotes(heads, .normal)
        for note in accents { notes[note] = .accent }
        return notes
    }
}

extension Score {
    /// The score of a document, without launches.
    public init(_ document: Document) {
        var builder = ScoreBuilder()
        self = builder.score(of: document)
    }
}

extension BoundKeys {
    /// The bindings of a document, without program changes, which do not play.
    init(_ bindings: MidiBindings) {
        self.init()
        for binding in bindings.all {
            let (trigger, number) = (binding.trigger, UInt8(binding.trigger.number))
            for channel in trigger.channel.map({ $0...$0 }) ?? 1...16 {
                switch trigger.kind {
                case .controller: bind(controller: number, channel: UInt8(channel - 1))
                case .note: bind(note: number, channel: UInt8(channel - 1))
                case .program: break
                }
            }
        }
    }
}
