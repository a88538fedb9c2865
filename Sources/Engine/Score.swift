import Music

/// All that the process callback reads of the instrument's state: a plain value, published whole.
public struct Score: Sendable, BitwiseCopyable {
    /// Two bits a note for each track and step, index = track * 32 + step, notes as `Music.StepNotes.bits`; without
    /// headless sustain cells.
    public var cells: InlineArray<128, UInt32>
    /// All parameters of the table, as numbers.
    public var parameters: ParameterBlock
    /// What is to take the place of the cells, and when.
    public var launches = ScoreLaunches()
    /// Which tracks do not sound: muted, or another one is soloed.
    public var isSilent: PerTrack<Bool>
    /// Keys and controllers of the MIDI input that play and do nothing by themselves.
    public var bindings = BoundKeys()

    /// Bytes before the parameters.
    static var parametersOffset: Int {
        @_noLocks @_noAllocation @_transparent get { 512 }
    }

    /// Bytes before the launches.
    static var launchesOffset: Int {
        @_noLocks @_noAllocation @_transparent get { 2560 }
    }

    /// A score; the default is what a new instrument plays: nothing, with every parameter's default.
    public init(
        cells: InlineArray<128, UInt32> = InlineArray(repeating: 0), parameters: ParameterBlock = ParameterBlock()
    ) {
        self.cells = cells
        self.parameters = parameters
        isSilent = PerTrack(repeating: false)
    }
}

/// A one-shot command to the process callback; takes effect with the first frame of the next period.
public enum RtCommand: Sendable, BitwiseCopyable {
    case play
    case pause
    case stop
    /// Stop, but let what sounds ring out.
    case finish
    /// Go to a step, 0 to 31, modulo the length; playing or not goes on as it was.
    case locate(step: Int32)
    /// Let notes (one bit each) of a track sound now with a normal or accented velocity (1 or 2); too late, they do not
    /// sound at all.
    case audition(track: Int32, notes: UInt16, velocity: UInt8)
    /// Pause because the driver was lost, and not because anybody wants it.
    case suspend
    /// Be as before the driver was lost; where an outside source is followed, that source tells how things are.
    case restore(RtTransport, step: Int32)
    /// Write what is played at the MIDI input into the pattern while the music runs, or no longer.
    case record(Bool)
    /// Stop for good, and follow nobody any more: all voices fade within 5 ms. Sent before shutdown.
    case silence
}

/// What the process callback tells the control loop.
public enum RtNotice: Sendable, BitwiseCopyable {
    /// A step started: the step, the audio frame on which it did (the driver's count) and JACK's time for it in µs.
    /// `notes` are the heads that were started on each track, as `Music.StepNotes.bits`; `songStep` counts from the song's
    /// start.
    case step(step: Int32, frame: Int64, usecs: UInt64, notes: PerTrack<UInt32>, songStep: Int32)
    /// A track's queued launch took effect with a step, of which a notice follows: its slot and number, and the frame and
    /// time of the step.
    case launch(track: Int32, slot: Int32, number: Int64, frame: Int64, usecs: UInt64)
    /// The clock stands at a step without having started it: after each command that concerns it, whatever came of that,
    /// and when a source or a change of length moved it.
    case transport(state: RtTransport, step: Int32)
    /// A key has begun a note that is to be written, into the slot that the track plays now.
    case played(track: UInt8, note: UInt8)
    /// That note is over.
    case recorded(RecordedNote)
}

/// Whether the clock runs.
public enum RtTransport: UInt8, Sendable, BitwiseCopyable {
    case stopped
    case playing
    case paused
}
