import Music

// When each track's steps begin: with a step of the song, or, at another speed, between two of them.

extension Sequencer {
    /// Begins the steps of tracks that lie between steps of the song and are due at the current frame.
    mutating func startSteps(_ output: inout EngineOutput) {
        while let next = nextStepBetween, self.frame(of: next.place) <= self.frame {
            startStep(next.track, next.place, &output)
        }
    }

    /// Begins, at the current frame, the steps that are due before a place in the song.
    mutating func startDue(
        before place: SongPlace, _ output: inout EngineOutput
    ) {
        while let next = nextStepBetween, next.place.precedes(place) {
            startStep(next.track, next.place, &output)
        }
        beginNotes(before: place, &output)
    }

    private mutating func beginNotes(
        before place: SongPlace, _ output: inout EngineOutput
    ) {
        while let start = starts.first, start.place.precedes(place) { begin(start, &output) }
    }

    /// Begins a step of a track between two of the song.
    private mutating func startStep(
        _ track: Int, _ place: SongPlace, _ output: inout EngineOutput
    ) {
        beginNotes(before: place, &output)
        let count = passStep(of: track, &output)
        output.notices.push(
            .trackStep(
                TrackStepNotice(
                    track: UInt8(truncatingIfNeeded: track),
                    step: UInt8(truncatingIfNeeded: times[track].step(of: count)), part: place.part,
                    frame: output.time.frame, usecs: output.time.usecs, notes: planStarts(of: count, on: track))))
        planEarlyStarts(on: track)
    }

    /// Skips the steps before a place in the song.
    mutating func skipSteps(before place: SongPlace, _ output: inout EngineOutput) {
        while let next = nextStepBetween, next.place.precedes(place) { skipStep(of: next.track, &output) }
    }

    /// Skips the steps before the current frame.
    mutating func skipSteps(_ output: inout EngineOutput) {
        while let next = nextStepBetween, self.frame(of: next.place) < frame { skipStep(of: next.track, &output) }
    }

    /// Skips a step of a track; some of its starts may still be to come.
    private mutating func skipStep(of track: Int, _ output: inout EngineOutput) {
        _ = planStarts(of: passStep(of: track, &output), on: track)
        planEarlyStarts(on: track)
        dropPastStarts()
    }

    /// Moves on to a track's next step, and releases the notes that end with it.
    ///
    /// - Returns: Its count.
    private mutating func passStep(of track: Int, _ output: inout EngineOutput) -> Int64 {
        counts[track] += 1
        held.countStep(of: track)
        releaseNotes(of: track, &output)
        return counts[track]
    }

    /// Begins the steps of tracks that start with a step of the song.
    ///
    /// - Returns: The notes that play.
    mutating func planSteps(with songStep: Int64) -> PerTrack<StartedNotes> {
        var started = PerTrack(repeating: StartedNotes())
        for track in 0..<trackCount {
            if starts(track, with: songStep) {
                started[track] = planStarts(of: counts[track], on: track)
                planEarlyStarts(on: track)
            } else if joins[track] {
                replanStarts(on: track)
            }
            joins[track] = false
        }
        return started
    }

    /// Whether a step of a track starts with a step of the song.
    func starts(_ track: Int, with songStep: Int64) -> Bool {
        let time = times[track]
        let place = time.place(of: time.count(at: songStep))
        return place.songStep == songStep && place.part == 0
    }

    /// The frame of `nextStepBetween`; `max` if there is none.
    var nextStepBetweenFrame: Int64 {
        guard let next = nextStepBetween else { return .max }
        return frame(of: next.place)
    }

    /// The next track step that starts before the song's next step, and not with a step of the song.
    private var nextStepBetween: (track: Int, place: SongPlace)? {
        guard isInStep else { return nil }
        var first: (track: Int, place: SongPlace)?
        for track in 0..<trackCount where times[track].numerator != 1 {
            let place = times[track].place(of: counts[track] + 1)
            guard place.songStep <= transport.clock.songStep else { continue }
            if let first, !place.precedes(first.place) { continue }
            first = (track, place)
        }
        return first
    }

    // MARK: Lengths and speeds

    /// Applies the length and speed of what each track plays now: the track continues where it would be if it had
    /// always had them.
    mutating func followTimes() {
        for track in 0..<trackCount {
            let time = played[track].time.time(in: transport.loop)
            let before = times[track]
            times[track] = time
            // If only the loop differs, the steps stay where they are.
            if time.hasSteps(of: before) { continue }
            starts.forget(track)
            live.forgetPlayed(on: track)
            counts[track] = time.count(at: transport.clock.songStep)
            while isPast(time.place(of: counts[track] + 1)) { counts[track] += 1 }
        }
    }

    private func isPast(_ place: SongPlace) -> Bool {
        place.songStep == transport.clock.songStep && frame(of: place) < frame
    }

    /// How long a step of a track lasts, without swing.
    func stepSeconds(of track: Int) -> Double { stepSeconds * times[track].sixteenths }
}
