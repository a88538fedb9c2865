import Engine
import Music

/// How far the music has come, and where each track's slot began.
struct Passage {
    /// The whole's loop.
    let loop: Loop
    /// The step of the song in progress.
    let songStep: Int64
    /// The step of the song with which each track's slot began.
    private let firstSteps: PerTrack<Int64>

    /// The music when this step is heard.
    init(with step: StepNotice, of pattern: Pattern) {
        songStep = step.songStep.number
        loop = Loop(length: pattern.length, origin: step.songStep.origin)
        firstSteps = step.firstSteps
    }

    /// The music if it started with this step of the song.
    init(startingWith songStep: Int64, in loop: Loop) {
        (self.songStep, self.loop) = (songStep, loop)
        firstSteps = PerTrack(repeating: songStep)
    }

    /// The last pass that a track has played completely, or the first if there is none; with its time and its slot's
    /// first pass.
    func lastWhole(of track: Track, in pattern: Pattern) -> (time: TrackTime, pass: Int64, firstPass: Int64) {
        let time = pattern[track].time(in: loop)
        func pass(at songStep: Int64) -> Int64 { time.pass(of: time.count(at: songStep)) }
        let first = pass(at: firstSteps[track.rawValue])
        return (time, max(first, pass(at: songStep) - 1), first)
    }

    /// The step of a track that is heard.
    ///
    /// - Parameter share: The fraction of the whole's step that has passed, less than 1.
    func heardStep(of track: Track, in pattern: Pattern, share: Double) -> HeardStep {
        let time = pattern[track].time(in: loop)
        let count = time.count(at: SongPlace(songStep: songStep, part: share))
        return HeardStep(time: time, count: Int64(count.rounded(.down)), passStart: loop.passStart(at: songStep))
    }
}

/// A step of a track while it is heard.
struct HeardStep {
    /// When the track's steps are played.
    var time: TrackTime
    /// Its number, counted from the song's start.
    var count: Int64
    /// The step of the song with which the whole's pass begins.
    var passStart: Int64
}
