import Music

/// The launches that wait on each track, those that have happened, and what the tracks play therefore.
struct LaunchBoard: ~Copyable {
    /// What the newest score says of each track, less the launches that have happened.
    private let tracks: FixedArray<NumberedLaunches>
    /// The steps on which queued launches take effect.
    private var quantum = LaunchQuantum.loop
    /// Each track's newest launch.
    private(set) var done = PerTrack(repeating: DoneLaunch())
    /// The slot that each track plays, from 0.
    private(set) var playing = PerTrack(repeating: Int32(0))

    init(_ score: ScoreReader) {
        self.init()
        apply(score)
    }

    private init() { tracks = FixedArray(count: trackCount) { _ in NumberedLaunches() } }

    /// Applies a score: its queued launches, and the slots of tracks whose last launch it includes.
    mutating func apply(_ score: ScoreReader) {
        quantum = score.launchQuantum
        for track in 0..<trackCount {
            var launches = score.launches(of: track)
            let newest = done[track].number
            if launches.include(newest) {
                // Its author does not know yet that they have come so far.
                launches.advance(to: newest)
                if let next = launches.waiting.next { play(next, on: track) }
                launches.advance(to: newest + 1)
            } else if launches.known >= newest {
                playing[track] = launches.playing
            }
            tracks[track] = launches
        }
    }

    private mutating func play(_ launch: TrackLaunches.Next, on track: Int) {
        playing[track] = Int32(truncatingIfNeeded: launch.index)
    }

    /// Whether a track's launch is due with a step of the song that starts.
    ///
    /// - Parameter isFirst: Whether the music starts with that step. The first slot of a chain plays its loop before the
    ///   next link is due.
    func isDue(_ track: Int, with songStep: Int64, in loop: Loop, isFirst: Bool) -> Bool {
        guard let next = tracks[track].waiting.next else { return false }
        // Not `==`: in a build without optimisation that is a call into another module.
        if isFirst, case .link = next.moment { return false }
        return next.quantum(quantum).loop(in: loop).step(at: songStep) == 0
    }

    /// Whether a track will play another slot.
    func isOther(_ track: Int) -> Bool {
        guard let next = tracks[track].waiting.next else { return false }
        return next.index != Int(playing[track])
    }

    /// Carries out a track's next launch.
    ///
    /// - Returns: Whether another slot plays now.
    mutating func carryOut(_ track: Int, at time: DriverTime) -> Bool {
        guard let next = tracks[track].waiting.next else { return false }
        let (number, isOther) = (tracks[track].number, isOther(track))
        play(next, on: track)
        done[track] = DoneLaunch(number: number, slot: playing[track], frame: time.frame, usecs: time.usecs)
        tracks[track].advance(to: number + 1)
        return isOther
    }
}

extension LaunchBoard {
    struct Memory: BitwiseCopyable {
        var tracks: PerTrack<NumberedLaunches>
        var quantum: LaunchQuantum
        var done: PerTrack<DoneLaunch>
        var playing: PerTrack<Int32>
    }

    func copy(into memory: inout Memory) {
        tracks.copy(into: &memory.tracks)
        (memory.quantum, memory.done, memory.playing) = (quantum, done, playing)
    }

    mutating func restore(_ memory: Memory) {
        tracks.restore(memory.tracks)
        (quantum, done, playing) = (memory.quantum, memory.done, memory.playing)
    }
}
