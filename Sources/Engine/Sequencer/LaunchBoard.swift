import Music

/// The launches that the newest score asks for, and those that have happened.
@safe
struct LaunchBoard: ~Copyable {
    private let notes: FixedArray<StepNotes>
    private let tracks: FixedArray<TrackLaunch>
    /// The number of each track's newest launch.
    private let done = FixedArray(count: trackCount) { _ in Int64(0) }
    /// The slot that each track plays, from 0.
    private(set) var playing = PerTrack(repeating: Int32(0))

    init(_ score: Score) {
        precondition(
            MemoryLayout<Score>.offset(of: \.launches) == Score.launchesOffset, "launches follow parameters")
        precondition(
            MemoryLayout<ScoreLaunches>.offset(of: \.tracks) == ScoreLaunches.tracksOffset, "tracks follow notes")
        notes = FixedArray(count: trackCount * stepCount) { score.launches.notes[$0 / stepCount][$0 % stepCount] }
        tracks = FixedArray(count: trackCount) { score.launches.tracks[$0] }
        for track in 0..<trackCount { playing[track] = score.launches.tracks[track].playing }
    }

    /// Applies a score: its queued launches, and the notes and motions of tracks whose last launch it includes.
    mutating func apply(
        _ score: UnsafePointer<Score>, playing played: inout ScoreNotes, moving motions: inout MotionBoard
    ) {
        unsafe motions.apply(score)
        let launches = unsafe UnsafeRawPointer(score) + Score.launchesOffset
        let launched = unsafe launches.assumingMemoryBound(to: StepNotes.self)
        let new = unsafe (launches + ScoreLaunches.tracksOffset).assumingMemoryBound(to: TrackLaunch.self)
        let standing = unsafe UnsafeRawPointer(score).assumingMemoryBound(to: StepNotes.self)
        for track in 0..<trackCount {
            let launch = unsafe new[track]
            let newest = unsafe done.elements[track]
            unsafe tracks.elements[track] = launch
            if launch.number != 0 && launch.number == newest {
                unsafe tracks.elements[track].number = 0
                unsafe played.load(track, of: launched, launch.time)
                motions.play(track, isLaunched: true)
            } else if launch.known >= newest {
                playing[track] = launch.playing
                unsafe played.load(track, of: standing, launch.playingTime)
                motions.play(track, isLaunched: false)
            }
            let first = track * stepCount
            for index in first..<first + stepCount { unsafe notes.elements[index] = launched[index] }
        }
    }

    /// Whether a track's launch is due with a step of the song that starts.
    ///
    /// - Parameter isFirst: Whether the music starts with that step.
    func isDue(_ track: Int, with songStep: Int64, in loop: Loop, isFirst: Bool) -> Bool {
        let launch = unsafe tracks.elements[track]
        guard launch.number != 0, !(launch.isLink && isFirst) else { return false }
        return launch.point.loop(in: loop).step(at: songStep) == 0
    }

    /// Whether a track will play another slot.
    func isOther(_ track: Int) -> Bool { unsafe tracks.elements[track].slot != playing[track] }

    func launch(of track: Int) -> TrackLaunch { unsafe tracks.elements[track] }

    /// Carries out a track's launch.
    ///
    /// - Returns: Whether another slot plays now.
    mutating func carryOut(
        _ track: Int, playing played: inout ScoreNotes, moving motions: inout MotionBoard
    ) -> Bool {
        let launch = unsafe tracks.elements[track]
        let isOther = launch.slot != playing[track]
        unsafe tracks.elements[track].number = 0
        unsafe done.elements[track] = launch.number
        playing[track] = launch.slot
        unsafe played.load(track, of: UnsafePointer(notes.elements), launch.time)
        motions.play(track, isLaunched: true)
        return isOther
    }
}
