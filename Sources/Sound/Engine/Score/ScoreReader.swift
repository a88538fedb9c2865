import Music

/// Where the parts of a score are, in bytes.
///
/// Its parts are read through pointers of their own: to read one element of an inline array, the compiler may copy all of
/// it. Made on the control thread, because key paths are objects.
struct ScoreLayout: BitwiseCopyable {
    fileprivate let parameters = MemoryLayout<RtScore>.offset(of: \.parameters)!
    fileprivate let launches = MemoryLayout<RtScore>.offset(of: \.launches)!
    fileprivate let notes = MemoryLayout<ScoreSlot>.offset(of: \.notes)!
    fileprivate let motions = MemoryLayout<ScoreSlot>.offset(of: \.motions)!
    fileprivate let time = MemoryLayout<ScoreSlot>.offset(of: \.time)!
    fileprivate let motionValues = MemoryLayout<TrackMotions>.offset(of: \.values)!

    init() {
        precondition(slotCount == Slot.count, "every slot has its place")
        precondition(MemoryLayout<StepNotes>.size == noteCount * MemoryLayout<Note>.stride, "a step is its notes")
        precondition(
            Parameter.movable.indices.allSatisfy { TrackMotions.place(of: Parameter.movable[$0]) == $0 },
            "what may move by the table has a place")
        precondition(
            Parameter.movable.count * stepCount <= MemoryLayout<TrackMotions>.offset(of: \.length)! / 4,
            "there is room for what may move")
    }
}

/// A published score that is read in place; valid until the next one is taken.
@safe
struct ScoreReader: BitwiseCopyable {
    private let score: UnsafePointer<RtScore>
    private let slots: UnsafePointer<ScoreSlot>
    private let layout: ScoreLayout

    /// A reader of a score, and of its slots.
    init(_ score: UnsafePointer<RtScore>, slots: UnsafePointer<ScoreSlot>, _ layout: ScoreLayout) {
        unsafe (self.score, self.slots) = (score, slots)
        self.layout = layout
    }

    private var memory: UnsafeRawPointer { unsafe UnsafeRawPointer(score) }

    /// The parameters; valid as long as the score.
    var parameters: LiveParameters {
        unsafe LiveParameters((memory + layout.parameters).assumingMemoryBound(to: Double.self))
    }

    /// What a track plays, and the launches that wait on it.
    func launches(of track: Int) -> NumberedLaunches {
        unsafe (memory + layout.launches).assumingMemoryBound(to: NumberedLaunches.self)[track]
    }

    /// The steps on which queued launches take effect.
    var launchQuantum: LaunchQuantum { LaunchQuantum(rawValue: UInt8(parameters[.launchQuantum])) ?? .loop }

    /// A slot of a track, from 0; valid as long as the score.
    func slot(_ index: Int32, of track: Int) -> SlotReader {
        checkWhenDebugging(track >= 0 && track < trackCount && index >= 0 && index < slotCount)
        let slot = unsafe UnsafeRawPointer(slots + track * slotCount + Int(index))
        return unsafe SlotReader(
            notes: (slot + layout.notes).assumingMemoryBound(to: Note.self),
            time: (slot + layout.time).assumingMemoryBound(to: SlotTime.self),
            motions: (slot + layout.motions).assumingMemoryBound(to: TrackMotions.self),
            values: (slot + layout.motions + layout.motionValues).assumingMemoryBound(to: Float.self))
    }

    /// Tracks that are muted, or not the soloed one.
    var silent: TrackSet { unsafe score.pointee.silent }

    /// See ``Score/isFilling``.
    var isFilling: Bool { unsafe score.pointee.isFilling }

    /// See ``Score/end``.
    var end: Int64 { unsafe score.pointee.end }

    /// See ``Score/tempoRevision``.
    var tempoRevision: Int { unsafe score.pointee.tempoRevision }

    /// See ``Score/patternRevision``.
    var patternRevision: Int { unsafe score.pointee.patternRevision }

    /// See ``Score/isMidiCircular``.
    var isMidiCircular: Bool { unsafe score.pointee.isMidiCircular }

    /// See ``Score/bindings``.
    var bindings: BoundKeys { unsafe score.pointee.bindings }
}

/// A slot of a score that is read in place; valid as long as the score.
@safe
struct SlotReader: BitwiseCopyable {
    private let notes: UnsafePointer<Note>
    private let motions: UnsafePointer<TrackMotions>
    private let values: UnsafePointer<Float>
    /// Its length and speed.
    let time: SlotTime

    fileprivate init(
        notes: UnsafePointer<Note>, time: UnsafePointer<SlotTime>, motions: UnsafePointer<TrackMotions>,
        values: UnsafePointer<Float>
    ) {
        unsafe (self.notes, self.motions, self.values) = (notes, motions, values)
        self.time = unsafe time.pointee
    }

    /// A note, 0 to 11, on a step, 0 to 31.
    subscript(note: Int, step: Int) -> Note {
        checkWhenDebugging(step >= 0 && step < stepCount && note >= 0 && note < noteCount)
        return unsafe notes[step * noteCount + note]
    }

    /// How many sustain cells follow a head without a gap, cyclically within the length.
    func sustainCount(note: Int, head: Int, length: Int) -> Int {
        var (count, step) = (0, head)
        while count < length - 1 {
            step = step + 1 == length ? 0 : step + 1
            guard self[note, step].isSustain else { break }
            count += 1
        }
        return count
    }

    /// The motions; nil if nothing moves.
    var motion: Motion? { unsafe motions.pointee.moving != 0 ? Motion(motions, values: values) : nil }
}

/// The motions of a track; valid until another score is applied, or another slot plays.
@safe
struct Motion: BitwiseCopyable {
    private let motions: UnsafePointer<TrackMotions>
    private let values: UnsafePointer<Float>

    fileprivate init(_ motions: UnsafePointer<TrackMotions>, values: UnsafePointer<Float>) {
        unsafe (self.motions, self.values) = (motions, values)
    }

    func moves(_ parameter: Parameter) -> Bool {
        guard let place = TrackMotions.place(of: parameter) else { return false }
        return unsafe motions.pointee.moving >> UInt8(truncatingIfNeeded: place) & 1 == 1
    }

    /// The value of a moving parameter at a count of the track's steps, with a fraction.
    func value(_ parameter: Parameter, at count: Double) -> Double {
        guard let place = TrackMotions.place(of: parameter) else { return 0 }
        let length = unsafe Int(motions.pointee.length)
        let whole = floor(count)
        let rest = Int(truncatingIfNeeded: whole % Int64(length))
        let step = rest < 0 ? rest + length : rest
        let (from, to) = (value(place, step), value(place, step + 1 == length ? 0 : step + 1))
        return from + (count - Double(whole)) * (to - from)
    }

    private func value(_ place: Int, _ step: Int) -> Double { unsafe Double(values[place * stepCount + step]) }
}
