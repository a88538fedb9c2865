import Music

/// The launches that the newest score asks for, and those that have happened.
@safe
struct LaunchBoard: ~Copyable {
    private let cells: FixedArray<UInt32>
    private let tracks: FixedArray<TrackLaunch>
    /// The number of each track's newest launch.
    private let done = FixedArray(count: trackCount) { _ in Int64(0) }
    /// The slot that each track plays.
    private let playing: FixedArray<Int32>

    init(_ score: Score) {
        precondition(
            MemoryLayout<Score>.offset(of: \.launches) == Score.launchesOffset, "launches follow parameters")
        precondition(
            MemoryLayout<ScoreLaunches>.offset(of: \.tracks) == ScoreLaunches.tracksOffset, "tracks follow cells")
        cells = FixedArray(count: trackCount * stepCount) { score.launches.cells[$0] }
        tracks = FixedArray(count: trackCount) { score.launches.tracks[$0] }
        playing = FixedArray(count: trackCount) { score.launches.tracks[$0].playing }
    }

    /// Takes a score: what it wants launched, and the cells of those tracks whose last launch it takes into account.
    @_noLocks @_noAllocation
    mutating func take(_ score: UnsafePointer<Score>, playing playingCells: inout ScoreCells) {
        let launches = unsafe UnsafeRawPointer(score) + Score.launchesOffset
        let launched = unsafe launches.assumingMemoryBound(to: UInt32.self)
        let new = unsafe (launches + ScoreLaunches.tracksOffset).assumingMemoryBound(to: TrackLaunch.self)
        let standing = unsafe UnsafeRawPointer(score).assumingMemoryBound(to: UInt32.self)
        for track in 0..<trackCount {
            let launch = unsafe new[track]
            let newest = unsafe done.elements[track]
            unsafe tracks.elements[track] = launch
            if launch.number != 0 && launch.number == newest {
                unsafe tracks.elements[track].number = 0
                unsafe playingCells.take(track, of: launched)
            } else if launch.known >= newest {
                unsafe playing.elements[track] = launch.playing
                unsafe playingCells.take(track, of: standing)
            }
            let first = track * stepCount
            for index in first..<first + stepCount { unsafe cells.elements[index] = launched[index] }
        }
    }

    /// Whether a track's launch is due with a step that starts.
    ///
    /// - Parameter isFirst: Whether the music starts with that step.
    @_noLocks @_noAllocation
    func isDue(_ track: Int, step: Int, songStep: Int64, isFirst: Bool) -> Bool {
        let launch = unsafe tracks.elements[track]
        if launch.number == 0 { return false }
        switch launch.point {
        case .step: return true
        case .beat: return songStep % 4 == 0
        case .bar: return songStep % 16 == 0
        case .loop: return step == 0
        case .nextLoop: return step == 0 && !isFirst
        }
    }

    /// What a track's launch is.
    @_noLocks @_noAllocation
    func launch(of track: Int) -> TrackLaunch { unsafe tracks.elements[track] }

    /// Carries a track's launch out.
    ///
    /// - Returns: Whether another slot plays now.
    @_noLocks @_noAllocation
    mutating func carryOut(_ track: Int, playing playingCells: inout ScoreCells) -> Bool {
        let launch = unsafe tracks.elements[track]
        let isOther = unsafe launch.slot != playing.elements[track]
        unsafe tracks.elements[track].number = 0
        unsafe done.elements[track] = launch.number
        unsafe playing.elements[track] = launch.slot
        unsafe playingCells.take(track, of: UnsafePointer(cells.elements))
        return isOther
    }
}
