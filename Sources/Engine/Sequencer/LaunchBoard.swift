import Music

/// The launches that the newest score asks for, and those that have happened.
@safe
struct LaunchBoard: ~Copyable {
    private let notes: FixedArray<StepNotes>
    /// The launch that the newest score requests on each track.
    private let asked: FixedArray<TrackLaunch>
    /// The launch that each track waits for: the requested one, or a further link of its chain.
    private let tracks: FixedArray<TrackLaunch>
    /// The slots that links play, nil before the first chain; valid until the next ones are taken.
    private var slots: UnsafePointer<ScoreSlot>?
    /// Each track's newest launch.
    private(set) var done = PerTrack(repeating: DoneLaunch())
    /// The slot that each track plays, from 0.
    private(set) var playing = PerTrack(repeating: Int32(0))

    init(_ score: Score) {
        precondition(
            MemoryLayout<Score>.offset(of: \.launches) == Score.launchesOffset, "launches follow parameters")
        precondition(
            MemoryLayout<ScoreLaunches>.offset(of: \.tracks) == ScoreLaunches.tracksOffset, "tracks follow notes")
        precondition(
            MemoryLayout<ScoreSlot>.offset(of: \.motions) == ScoreSlot.motionsOffset, "motions follow notes")
        precondition(ScoreSlots.count == Slot.all.count, "there is room for all slots")
        notes = FixedArray(count: trackCount * stepCount) { score.launches.notes[$0 / stepCount][$0 % stepCount] }
        asked = FixedArray(count: trackCount) { score.launches.tracks[$0] }
        tracks = FixedArray(count: trackCount) { score.launches.tracks[$0] }
        for track in 0..<trackCount { playing[track] = score.launches.tracks[track].playing }
    }

    /// Takes the slots that links play from now on.
    mutating func take(_ slots: UnsafePointer<ScoreSlots>) {
        unsafe self.slots = UnsafeRawPointer(slots).assumingMemoryBound(to: ScoreSlot.self)
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
            let newest = done[track].number
            let first = track * stepCount
            for index in first..<first + stepCount { unsafe notes[index] = launched[index] }
            asked[track] = launch
            if launch.includes(newest) {
                expect(newest, on: track)
                play(track, in: &played, moving: &motions)
                expect(newest + 1, on: track)
                continue
            }
            expect(launch.number, on: track)
            guard launch.known >= newest else { continue }
            playing[track] = launch.playing
            unsafe played.load(track, from: standing + first, launch.playingTime)
            motions.play(track, isLaunched: false)
        }
    }

    /// Lets a track wait for the launch with this number: the requested one, or a link after it; without a chain for none.
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

    /// Plays the launch that a track waits for.
    private mutating func play(_ track: Int, in played: inout ScoreNotes, moving motions: inout MotionBoard) {
        let launch = tracks[track]
        playing[track] = launch.slot
        if launch.number == asked[track].number {
            unsafe played.load(track, from: UnsafePointer(notes.elements) + track * stepCount, launch.time)
            motions.play(track, isLaunched: true)
        } else if let slots = unsafe slots {
            let slot = unsafe slots + track * slotCount + Int(launch.slot)
            let memory = unsafe UnsafeRawPointer(slot)
            unsafe played.load(track, from: memory.assumingMemoryBound(to: StepNotes.self), slot.pointee.time)
            unsafe motions.play(
                track, (memory + ScoreSlot.motionsOffset).assumingMemoryBound(to: TrackMotions.self))
        }
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
    mutating func carryOut(
        _ track: Int, playing played: inout ScoreNotes, moving motions: inout MotionBoard, at time: DriverTime
    ) -> Bool {
        let launch = tracks[track]
        let isOther = isOther(track)
        done[track] = DoneLaunch(number: launch.number, slot: launch.slot, frame: time.frame, usecs: time.usecs)
        play(track, in: &played, moving: &motions)
        expect(launch.number + 1, on: track)
        return isOther
    }
}
