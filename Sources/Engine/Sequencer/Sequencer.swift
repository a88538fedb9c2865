import Music

/// Plays the score: follows the transport, starts and releases notes, and notifies the control loop.
struct Sequencer: ~Copyable {
    private let place = Pinned()
    /// The score without its notes.
    var settings: ScoreSettings
    var notes: ScoreNotes
    var launches: LaunchBoard
    var motions: MotionBoard
    /// The frame with which the music ended so that it rings out: what moves stands as it did then.
    var endFrame = Int64.max
    /// Whether the next step is the one that the music starts with.
    var startsAnew = true
    /// Whether the music has gone elsewhere since the last step.
    var hasMoved = false
    /// When each track's steps are played, as of the last look at the score and the whole's loop.
    var times = PerTrack(repeating: TrackTime(whole: Loop(length: stepCount)))
    /// The step of each track in progress, by the song's count.
    var counts = PerTrack(repeating: Int64(0))
    /// The step of the song with which each track's slot began to play. Other lengths and speeds give passes other numbers.
    var firstSteps = PerTrack(repeating: Int64(0))
    /// Frames rendered since the engine was made; all voices' times are in these.
    private(set) var frame: Int64 = 0

    var transport: Transport
    /// The first message of the cycle that has not been taken.
    var midiIndex = 0
    var parser = MidiParser()
    var live = LiveKeys()
    var clockMessages = DelayedMessages()
    var held = HeldNotes()
    var starts = StartQueue()
    /// The tracks whose early notes start with the step itself, because their music begins with it.
    var joins = PerTrack(repeating: false)
    var sampleRate: Double

    init(_ score: Score, _ parameters: borrowing LiveParameters, sampleRate: Double) {
        settings = ScoreSettings(
            parameters, silent: TrackSet(score.isSilent), isFilling: score.isFilling, end: score.end,
            tempoRevision: score.tempoRevision)
        notes = ScoreNotes(score)
        launches = LaunchBoard(score)
        motions = MotionBoard(score)
        self.sampleRate = sampleRate
        transport = Transport(settings.transport(sampleRate: sampleRate))
        live.apply(parameters, silent: settings.silent, score.bindings)
    }

    /// Fits another sample rate; all sound is gone, the step in progress goes on from where it is.
    mutating func prepare(sampleRate: Double) {
        transport.missTicks(at: frame)
        self.sampleRate = sampleRate
        transport.apply(settings.transport(sampleRate: sampleRate), at: frame)
        starts.removeAll()
        held.forgetAll()
        live.forgetAll()
    }

    /// Goes where the cycle's outside says that the music is.
    mutating func begin(_ cycle: RtCycle, _ voices: inout VoiceSet, _ notices: borrowing Notices) {
        midiIndex = 0
        transport.begin(cycle, at: frame)
        live.begin(cycle)
        voices.sender.echoes.begin(cycle, at: frame, sampleRate: sampleRate)
        settle(&voices, notices)
    }

    /// Begins the step that is due with the present frame, if there is one, and starts the notes that are.
    mutating func startDueNotes(
        _ voices: inout VoiceSet, _ notices: borrowing Notices, offset: Int, in cycle: RtCycle
    ) {
        transport.reach(frame)
        settle(&voices, notices)
        let usecs = cycle.usecs(at: offset)
        let cycleFrame = cycle.startFrame + Int64(offset)
        if let songStep = transport.nextStep(at: frame) {
            startDue(before: SongPlace(songStep: songStep), &voices, notices, at: cycleFrame, usecs)
            pass(songStep, &voices, notices, at: cycleFrame, usecs)
            notices.push(
                .step(
                    step: Int32(truncatingIfNeeded: transport.step), frame: cycleFrame, usecs: usecs,
                    notes: planSteps(with: songStep), songStep: SongStep(songStep, in: transport.loop)))
        }
        startSteps(&voices, notices, at: cycleFrame, usecs)
        while let start = starts.first, self.frame(of: start.place) <= frame { begin(start, &voices) }
    }

    /// Catches up with steps in frames that were not rendered: ends and launches take effect with the present frame,
    /// starts that were due are left out.
    mutating func catchUp(_ voices: inout VoiceSet, _ notices: borrowing Notices, in cycle: RtCycle) {
        dropPastStarts()
        while let songStep = transport.nextStep(at: frame - 1) {
            skipSteps(before: SongPlace(songStep: songStep), &voices)
            pass(songStep, &voices, notices, at: cycle.startFrame, cycle.startUsecs)
            _ = planSteps(with: songStep)
            dropPastStarts()
        }
        skipSteps(&voices)
    }

    /// Does what the last change of the transport led to.
    mutating func settle(_ voices: inout VoiceSet, _ notices: borrowing Notices) {
        while let consequence = transport.nextConsequence() {
            switch consequence {
            case .cut:
                silence(&voices, notices)
                hasMoved = true
            case .moved(let state, let step):
                notices.push(
                    .transport(
                        state: state, step: Int32(truncatingIfNeeded: step),
                        songStep: SongStep(transport.clock.songStep, in: transport.loop)))
            }
            followTimes()
            moveTones(&voices)
        }
        if transport.runs { endFrame = .max } else { startsAnew = true }
    }

    private mutating func silence(_ voices: inout VoiceSet, _ notices: borrowing Notices) {
        starts.forgetAll()
        voices.fadeAll(at: frame)
        live.cut(moment, notices)
        held.forgetAll()
    }

    /// Frames until something is due or comes, at most `count`.
    func stretch(from offset: Int, atMost count: Int, _ port: MidiBuffer) -> Int {
        var quiet = transport.quietFrames(from: frame, atMost: count)
        var next = nextStepBetweenFrame
        if let start = starts.first { next = min(next, self.frame(of: start.place)) }
        quiet = Int(max(0, min(Int64(quiet), next - frame)))
        guard unsafe midiIndex < port.count else { return quiet }
        return unsafe min(quiet, max(0, Int(port.event(midiIndex).frame) - offset))
    }

    /// Lets frames pass that were not rendered: the music goes on as if they had been. After more than a second it goes on
    /// from where it was.
    ///
    /// - Returns: Whether it has to catch up.
    mutating func skip(_ count: Int) -> Bool {
        guard count > 0 else { return false }
        guard Double(count) <= sampleRate else {
            transport.missTicks(at: frame)
            return false
        }
        transport.midi.skip(from: frame, to: frame + Int64(count))
        advance(count)
        return true
    }

    /// Lets frames pass.
    mutating func advance(_ count: Int) {
        frame += Int64(count)
    }

    /// Whether a step is in progress, and the music where it has begun.
    var isInStep: Bool { transport.runs && !startsAnew && !hasMoved }

    /// How long a sixteenth lasts, swing apart.
    var stepSeconds: Double { 15 / transport.bpm }

    /// What the transport does with the present frame, the first one after a cycle, and what was launched.
    func report(after cycle: RtCycle) -> TransportReport {
        var report = transport.report(at: frame, after: cycle)
        report.launches = launches.done
        return report
    }
}
