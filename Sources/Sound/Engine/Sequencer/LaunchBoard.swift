import Music

/// The launches that the newest score requests, those that have happened, and what the tracks play therefore.
struct LaunchBoard: ~Copyable {
    /// The launch that the newest score requests on each track.
    private let asked: FixedArray<TrackLaunch>
    /// The launch that each track waits for: the requested one, or a further link of its chain.
    private let tracks: FixedArray<TrackLaunch>
    /// Each track's newest launch.
    private(set) var done = PerTrack(repeating: DoneLaunch())
    /// The slot that each track plays, from 0.
    private(set) var playing = PerTrack(repeating: Int32(0))

    init(_ score: ScoreReader) {
        asked = FixedArray(count: trackCount) { score.launch(of: $0) }
        tracks = FixedArray(count: trackCount) { score.launch(of: $0) }
        for track in 0..<trackCount { playing[track] = score.launch(of: track).playing }
    }

    /// Applies a score: its queued launches, and the slots of tracks whose last launch it includes.
    mutating func apply(_ score: ScoreReader) {
        for track in 0..<trackCount {
            let launch = score.launch(of: track)
            let newest = done[track].number
            asked[track] = launch
            if launch.includes(newest) {
                expect(newest, on: track)
                playing[track] = tracks[track].slot
                expect(newest + 1, on: track)
                continue
            }
            expect(launch.number, on: track)
            if launch.known >= newest { playing[track] = launch.playing }
        }
    }

    /// Sets which launch a track waits for, by its number: the requested one, or a later link of its chain. A track without
    /// a chain waits for nothing after the requested one.
    private func expect(_ number: Int64, on track: Int) {
        var launch = asked[track]
        let link = number - launch.number
        if link > 0 {
            launch.number = launch.links.isEmpty ? 0 : number
            (launch.point, launch.isLink) = (.loop, true)
            if !launch.links.isEmpty { launch.slot = launch.links.slot(ofLink: link) }
        }
        tracks[track] = launch
    }

    /// Whether a track's launch is due with a step of the song that starts.
    ///
    /// - Parameter isFirst: Whether the music starts with that step.
    func isDue(_ track: Int, with songStep: Int64, in loop: Loop, isFirst: Bool) -> Bool {
        let launch = tracks[track]
        guard launch.number != 0, !(launch.isLink && isFirst) else { return false }
        return launch.point.loop(in: loop).step(at: songStep) == 0
    }

    /// Whether a track will play another slot.
    func isOther(_ track: Int) -> Bool { tracks[track].slot != playing[track] }

    /// Carries out a track's launch; the next link of a chain waits from then on.
    ///
    /// - Returns: Whether another slot plays now.
    mutating func carryOut(_ track: Int, at time: DriverTime) -> Bool {
        let launch = tracks[track]
        let isOther = isOther(track)
        done[track] = DoneLaunch(number: launch.number, slot: launch.slot, frame: time.frame, usecs: time.usecs)
        playing[track] = launch.slot
        expect(launch.number + 1, on: track)
        return isOther
    }
}
