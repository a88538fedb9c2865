import Music

public typealias ScoreSteps = PerTrack<PerStep<StepNotes>>

/// The sequencer's own copy of a score's notes, in its own memory, because accessing an inline array may copy all of
/// it.
struct ScoreNotes: ~Copyable {
    private let steps: FixedArray<StepNotes>
    /// The length and speed of what each track plays.
    var times: PerTrack<SlotTime>
    /// Steps of the whole pattern.
    var wholeLength: Int

    init(_ score: Score) {
        precondition(MemoryLayout<Score>.offset(of: \.notes) == 0, "a score begins with its notes")
        precondition(MemoryLayout<StepNotes>.size == noteCount * MemoryLayout<Note>.stride, "a step is its notes")
        steps = FixedArray(count: trackCount * stepCount) { score.notes[$0 / stepCount][$0 % stepCount] }
        times = PerTrack(repeating: SlotTime())
        for track in 0..<trackCount { times[track] = score.launches.tracks[track].playingTime }
        wholeLength = Int(score.parameters[.length])
    }

    /// Copies a track's notes, with their time.
    mutating func load(_ track: Int, from source: UnsafePointer<StepNotes>, _ time: SlotTime) {
        times[track] = time
        let first = track * stepCount
        for step in 0..<stepCount { unsafe steps.elements[first + step] = source[step] }
    }

    subscript(track: Int, note: Int, step: Int) -> Note {
        get {
            let cells = unsafe UnsafeRawPointer(steps.elements + track * stepCount + step)
            return unsafe cells.assumingMemoryBound(to: Note.self)[note]
        }
    }

    /// Whether a note starts on a step that is played.
    func isHead(track: Int, note: Int, step: Int) -> Bool {
        step < length(of: track) && self[track, note, step].isHead
    }

    /// Steps of a track that are played.
    private func length(of track: Int) -> Int {
        let own = Int(times[track].length)
        return own == 0 ? wholeLength : own
    }

    /// How many sustain cells follow a head without a gap, cyclically within the length.
    func sustainCount(track: Int, note: Int, head: Int) -> Int {
        let length = length(of: track)
        var (count, step) = (0, head)
        while count < length - 1 {
            step = step + 1 == length ? 0 : step + 1
            guard self[track, note, step].isSustain else { break }
            count += 1
        }
        return count
    }
}

/// The length and speed of what a track plays: a plain value in a score.
public struct SlotTime: Sendable, BitwiseCopyable {
    /// Steps of its own loop, 1 to 32; 0 for the whole pattern's.
    public var length: Int32 = 0
    /// How fast the steps follow each other.
    public var speed = Speed.normal

    /// The whole pattern's.
    @_noLocks @_noAllocation
    public init() {}

    /// A slot's.
    init(_ slot: SlotNotes) {
        length = Int32(slot.length ?? 0)
        speed = slot.speed
    }

    /// When its steps are played.
    func time(in whole: Loop) -> TrackTime {
        TrackTime(length: length == 0 ? nil : Int(length), speed: speed, whole: whole)
    }
}
