import Music

/// The frame at which something is played, and where the music is then.
struct KeyMoment: BitwiseCopyable {
    var frame: Int64
    /// How long a sixteenth lasts in seconds, without swing.
    private let sixteenthSeconds: Double
    /// The clock, if it runs.
    let clock: StepClock?
    /// When each track's steps are played.
    private let times: PerTrack<TrackTime>
    /// The step of each track in progress.
    private let counts: PerTrack<Int64>
    /// The slot that each track plays.
    private let slots: PerTrack<Int32>

    init(
        frame: Int64, stepSeconds: Double, clock: StepClock?, times: PerTrack<TrackTime>, counts: PerTrack<Int64>,
        slots: PerTrack<Int32>
    ) {
        (self.frame, sixteenthSeconds, self.clock) = (frame, stepSeconds, clock)
        (self.times, self.counts, self.slots) = (times, counts, slots)
    }

    /// When a track's steps are played.
    func time(of track: Int) -> TrackTime { times[track] }

    /// The step of a track in progress, counted from the song's start.
    func count(of track: Int) -> Int64 { counts[track] }

    /// The slot that a track plays, from 0.
    func slot(of track: Int) -> Int32 { slots[track] }

    /// How long a step of a track lasts in seconds, without swing.
    func stepSeconds(of track: Int) -> Double { sixteenthSeconds * times[track].sixteenths }
}

/// Finds the steps that notes were meant for, while the music plays. The notes are to be written if recording is armed, and
/// may be caught later if not. While the music stands still, it reports when keys go down and up.
struct KeyRecorder: ~Copyable {
    /// A note that is played by hand.
    struct HandNote: BitwiseCopyable {
        var isRecording = false
        /// Whether it is written.
        var isArmed = false
        /// Whether it began while the music stood still.
        var isStanding = false
        var isAccent = false
        /// Its level in dB.
        var level = 0
        /// The frame on which it began.
        var start: Int64 = 0
        /// The slot that was playing when it began, and the pattern's ``Score/patternRevision``.
        var slot: Int32 = 0
        var patternRevision = 0
        /// The step of the slot that it was rounded to.
        var step = 0
        /// The step of the song with which the whole pattern's pass begins in which that step starts.
        var passStart: Int64 = 0
        /// Frames of a nominal step of the track.
        var stepFrames = 1.0
    }

    private let keys = FixedArray<HandNote>(count: trackCount * noteCount) { _ in HandNote() }
    /// The track's next step on which each note, already played by hand, must not sound again.
    private let anticipated = FixedArray<Int64>(count: trackCount * noteCount) { _ in .min }
    var isArmed = false
    var patternRevision = 0
    /// The latency of the sound in frames.
    var latency: Int64 = 0

    /// A note begins; one that is not held is complete at once.
    ///
    /// - Parameter isArmed: Whether its track is recorded.
    mutating func press(
        _ index: Int, isAccent: Bool, level: Int, isHeld: Bool, isArmed: Bool, _ moment: KeyMoment,
        _ output: inout EngineOutput
    ) {
        keys[index].isRecording = false
        keys[index].isStanding = false
        guard let clock = moment.clock else {
            keys[index].isStanding = isHeld
            report(index, isDown: true, isHeld: isHeld, isAccent: isAccent, level: level, moment, output)
            return
        }
        let time = moment.time(of: index / noteCount)
        let count = clock.timing.grid.nearestCount(of: time, to: clock.position(at: moment.frame - latency))
        var key = HandNote(isRecording: true, isAccent: isAccent, start: moment.frame)
        key.isArmed = isArmed && self.isArmed
        key.level = level
        key.slot = moment.slot(of: index / noteCount)
        key.patternRevision = patternRevision
        key.step = time.step(of: count)
        key.passStart = clock.timing.grid.loop.passStart(at: time.place(of: count).songStep)
        key.stepFrames = clock.timing.stepFrames * time.sixteenths
        keys[index] = key
        if key.isArmed, count > moment.count(of: index / noteCount) { anticipated[index] = count }
        if !isHeld { release(index, moment, &output) }
    }

    /// A note ends, and is reported.
    mutating func release(_ index: Int, _ moment: KeyMoment, _ output: inout EngineOutput) {
        let key = keys[index]
        if key.isStanding {
            keys[index].isStanding = false
            report(index, isDown: false, isHeld: true, isAccent: false, level: 0, moment, output)
        }
        guard key.isRecording else { return }
        keys[index].isRecording = false
        let steps = Int64(Double(moment.frame - key.start) / key.stepFrames + 0.5)
        let note = RecordedNote(
            track: UInt8(truncatingIfNeeded: index / noteCount), slot: UInt8(truncatingIfNeeded: key.slot),
            note: UInt8(truncatingIfNeeded: index % noteCount), step: UInt8(truncatingIfNeeded: key.step),
            sustainCount: UInt8(truncatingIfNeeded: max(0, min(31, steps - 1))), isAccent: key.isAccent,
            level: Int8(truncatingIfNeeded: key.level), passStart: key.passStart,
            patternRevision: key.patternRevision)
        output.notices.push(key.isArmed ? .recorded(note) : .played(note))
    }

    /// Reports a key while the music stands still.
    private func report(
        _ index: Int, isDown: Bool, isHeld: Bool, isAccent: Bool, level: Int, _ moment: KeyMoment,
        _ output: borrowing EngineOutput
    ) {
        output.notices.push(
            .key(
                KeyNotice(
                    track: UInt8(truncatingIfNeeded: index / noteCount),
                    slot: UInt8(truncatingIfNeeded: moment.slot(of: index / noteCount)),
                    note: UInt8(truncatingIfNeeded: index % noteCount), isDown: isDown, isHeld: isHeld,
                    isAccent: isAccent, level: Int8(truncatingIfNeeded: level), usecs: output.time.usecs,
                    patternRevision: patternRevision)))
    }

    mutating func hasPlayed(_ index: Int, count: Int64) -> Bool {
        guard anticipated[index] == count else { return false }
        anticipated[index] = .min
        return true
    }

    /// Called when the music stops or jumps.
    mutating func forgetAnticipated() {
        for track in 0..<trackCount { forgetAnticipated(on: track) }
    }

    /// Called when the counts of a track's steps change.
    mutating func forgetAnticipated(on track: Int) {
        for index in track * noteCount..<(track + 1) * noteCount { anticipated[index] = .min }
    }
}

/// A key that went down or up while the music stood still, or up later.
public struct KeyNotice: Sendable, BitwiseCopyable, Equatable {
    /// In the order of `Music.Track`.
    public var track: UInt8
    /// The slot that the track would play, from 0.
    public var slot: UInt8
    /// 0 to 11.
    public var note: UInt8
    public var isDown: Bool
    /// Whether the key sounds until it goes up; only then is that reported.
    public var isHeld: Bool
    /// Whether it was struck hard.
    public var isAccent: Bool
    /// Its level in whole dB, -24 to 0.
    public var level: Int8
    /// The driver's time in µs.
    public var usecs: UInt64
    /// The ``Score/patternRevision`` at this time.
    public var patternRevision: Int

    @_noLocks @_noAllocation
    public init(
        track: UInt8, slot: UInt8, note: UInt8, isDown: Bool, isHeld: Bool, isAccent: Bool, level: Int8 = 0,
        usecs: UInt64, patternRevision: Int
    ) {
        self.track = track
        self.slot = slot
        self.note = note
        self.isDown = isDown
        self.isHeld = isHeld
        self.isAccent = isAccent
        self.level = level
        self.usecs = usecs
        self.patternRevision = patternRevision
    }
}

/// A note that was played by hand, and the step that it was meant for.
public struct RecordedNote: Sendable, BitwiseCopyable, Equatable {
    /// In the order of `Music.Track`.
    public var track: UInt8
    /// The slot that the track played when it began, from 0.
    public var slot: UInt8
    /// 0 to 11.
    public var note: UInt8
    /// 0 to 31.
    public var step: UInt8
    /// Sustain cells after its head.
    public var sustainCount: UInt8
    /// Whether it was struck hard.
    public var isAccent: Bool
    /// Its level in whole dB, -24 to 0.
    public var level: Int8
    /// The step of the song with which its pass through the whole pattern's loop begins.
    public var passStart: Int64
    /// The ``Score/patternRevision`` when it began.
    public var patternRevision: Int

    @_noLocks @_noAllocation
    public init(
        track: UInt8, slot: UInt8, note: UInt8, step: UInt8, sustainCount: UInt8, isAccent: Bool, level: Int8 = 0,
        passStart: Int64, patternRevision: Int
    ) {
        self.track = track
        self.slot = slot
        self.note = note
        self.step = step
        self.sustainCount = sustainCount
        self.isAccent = isAccent
        self.level = level
        self.passStart = passStart
        self.patternRevision = patternRevision
    }
}

extension KeyRecorder {
    struct Memory: BitwiseCopyable {
        var keys: PerVoice<HandNote>
        var anticipated: PerVoice<Int64>
        var isArmed: Bool
    }

    func copy(into memory: inout Memory) {
        keys.copy(into: &memory.keys)
        anticipated.copy(into: &memory.anticipated)
        memory.isArmed = isArmed
    }

    mutating func restore(_ memory: Memory) {
        keys.restore(memory.keys)
        anticipated.restore(memory.anticipated)
        isArmed = memory.isArmed
    }
}
