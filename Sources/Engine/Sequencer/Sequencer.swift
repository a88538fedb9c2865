import Music

/// Plays the score: does what the transport says, starts and releases notes, and notifies the control loop.
struct Sequencer: ~Copyable {
    private let place = Pinned()
    /// What is played, but for its notes.
    var settings: ScoreSettings
    var notes: ScoreNotes
    var launches: LaunchBoard
    var motions: MotionBoard
    /// The frame with which the music ended so that it rings out: what moves stands as it did then.
    private(set) var endFrame = Int64.max
    /// Whether the next step is the one that the music starts with.
    var startsAnew = true
    /// Whether the music has gone elsewhere since the last step.
    private(set) var hasMoved = false
    /// When each track's steps are played, as of the last look at the score and the whole's loop.
    var times = PerTrack(repeating: TrackTime(whole: Loop(length: stepCount)))
    /// The step of each track in progress, by the song's count.
    var counts = PerTrack(repeating: Int64(0))
    /// The pass of each track's loop in which its slot began to play.
    var firstPasses = PerTrack(repeating: Int64(0))
    /// Frames rendered since the engine was made; all voices' times are in these.
    private(set) var frame: Int64 = 0

    var transport: Transport
    /// The first message of the cycle that has not been taken.
    private var midiIndex = 0
    private var parser = MidiParser()
    var live = LiveKeys()
    private var clockMessages = DelayedMessages()
    var held = HeldNotes()
    var starts = StartQueue()
    /// The track's step, by the song's count, whose turn each note had last.
    let begun = FixedArray(count: trackCount * noteCount) { _ in Int64.min }
    /// The tracks whose early notes start with the step itself, because their music begins with it.
    var joins = PerTrack(repeating: false)
    private var sampleRate: Double

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
        self.sampleRate = sampleRate
        transport.apply(settings.transport(sampleRate: sampleRate), at: frame)
        starts.removeAll()
        held.forgetAll()
        live.forgetAll()
    }

    // MARK: Time

    /// Goes where the cycle's outside says that the music is.
    mutating func begin(_ cycle: RtCycle, _ voices: inout VoiceSet, _ notices: borrowing Notices) {
        midiIndex = 0
        transport.begin(cycle, at: frame)
        live.begin(cycle)
        voices.sender.echoes.begin(cycle, at: frame, sampleRate: sampleRate)
        settle(&voices, notices)
    }

    /// Takes the messages that came by the present frame.
    mutating func receive(
        _ port: MidiBuffer, _ voices: inout VoiceSet, _ exchange: borrowing Exchange, offset: Int, in cycle: RtCycle
    ) {
        while unsafe midiIndex < port.count, unsafe Int(port.event(midiIndex).frame) <= offset {
            let bytes = unsafe port.event(midiIndex)
            midiIndex += 1
            for index in 0..<Int(bytes.count) {
                let byte = index == 0 ? bytes.status : index == 1 ? bytes.first : bytes.second
                guard let message = parser.parse(byte) else { continue }
                exchange.midi.push(message, offset: offset, in: cycle)
                receive(message, &voices, exchange.notices)
            }
        }
    }

    /// Takes a message: of the clock, or of a channel.
    private mutating func receive(
        _ message: MidiEvent, _ voices: inout VoiceSet, _ notices: borrowing Notices
    ) {
        if message.status >= 0xf0 {
            transport.receive(message, at: frame)
            settle(&voices, notices)
        }
        live.play(message, moment, &voices, notices)
        while let index = live.takePressed() { held.forget(track: index / noteCount, note: index % noteCount) }
    }

    /// The present frame, and where the music is.
    private var moment: Moment {
        Moment(
            frame: frame, stepSeconds: stepSeconds, clock: transport.runs ? transport.clock : nil, times: times,
            counts: counts)
    }

    /// Reports what became of messages.
    mutating func report(to midi: borrowing MidiExchange) {
        midi.count(echoes: live.takeEchoCount(), skipped: parser.skippedCount)
    }

    /// Sends what is due of our clock with the present frame.
    mutating func sendClock(offset: Int) {
        unsafe transport.sendClock(at: frame, offset: offset, to: clockMessages.cycle)
    }

    /// Lets our clock's messages leave that are due in a cycle, which has been rendered.
    mutating func finishClock(to port: MidiBuffer, in cycle: RtCycle) {
        unsafe clockMessages.finish(
            port, from: frame - Int64(cycle.frameCount), count: cycle.frameCount,
            delay: delay(in: cycle, ownLatency: cycle.clockOutLatency))
    }

    /// By how many frames messages leave later than they are played, to be heard with our sound.
    func delay(in cycle: RtCycle, ownLatency: Int) -> Int64 {
        guard transport.settings.sync.compensatesLatency else { return 0 }
        return Int64(max(0, cycle.playbackLatency - ownLatency))
    }

    /// Begins the step that is due with the present frame, if there is one, and starts the notes that are.
    mutating func startDueNotes(
        _ voices: inout VoiceSet, _ notices: borrowing Notices, offset: Int, in cycle: RtCycle
    ) {
        transport.reach(frame)
        settle(&voices, notices)
        let usecs = cycle.startUsecs + UInt64(Double(offset) * cycle.usecsPerFrame + 0.5)
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

    /// Passes the steps that lie in frames which nobody rendered: what ends or is launched with them does so with the present
    /// frame, and what starts with them is left out.
    mutating func catchUp(_ voices: inout VoiceSet, _ notices: borrowing Notices, in cycle: RtCycle) {
        while let start = starts.first, self.frame(of: start.place) < frame {
            starts.removeFirst()
            if let next = start.next(in: times[start.track]) { starts.add(next) }
        }
        while let songStep = transport.nextStep(at: frame - 1) {
            skipSteps(before: SongPlace(songStep: songStep), &voices)
            pass(songStep, &voices, notices, at: cycle.startFrame, cycle.startUsecs)
            joins = PerTrack(repeating: false)
        }
        skipSteps(&voices)
        for track in 0..<trackCount where transport.runs && !startsAnew && !hasMoved { planEarlyStarts(on: track) }
    }

    /// Ends and launches what is due with a step of the song.
    private mutating func pass(
        _ songStep: Int64, _ voices: inout VoiceSet, _ notices: borrowing Notices, at frame: Int64, _ usecs: UInt64
    ) {
        followTimes()
        let movesOn = startsAnew || hasMoved
        for track in 0..<trackCount where starts(track, with: songStep) {
            held.countStep(of: track)
            releaseNotes(of: track, &voices)
        }
        joins = PerTrack(repeating: movesOn)
        launch(with: songStep, &voices, notices, at: frame, usecs)
        for track in 0..<trackCount {
            counts[track] = times[track].count(at: songStep)
            if joins[track] { firstPasses[track] = times[track].pass(of: counts[track]) }
        }
        (startsAnew, hasMoved) = (false, false)
    }

    /// Does what the last change of the transport led to.
    private mutating func settle(_ voices: inout VoiceSet, _ notices: borrowing Notices) {
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
            moveTones(&voices)
        }
        if transport.runs { endFrame = .max } else { startsAnew = true }
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

    /// Lets frames pass.
    mutating func advance(_ count: Int) {
        frame += Int64(count)
    }

    // MARK: What others learn

    /// What the transport asks of JACK's.
    mutating func takeRequest() -> OutsideRequest { transport.takeRequest() }

    /// Bar and beat at a frame of JACK's transport by our own timebase, for JACK to publish.
    mutating func publishBar(at frame: Int64) -> BarPosition { transport.jack.publishBar(at: frame) }

    /// Whether bar and beat that JACK reports are what we published last.
    func hasPublished(_ bar: BarPosition) -> Bool { transport.jack.hasPublished(bar) }

    /// What the transport does with the present frame, the first one after a cycle.
    func report(after cycle: RtCycle) -> TransportReport { transport.report(at: frame, after: cycle) }

    // MARK: Changes, at the start of a period

    /// Plays another score from now on.
    mutating func apply(
        _ score: UnsafePointer<Score>, _ parameters: borrowing LiveParameters, _ voices: inout VoiceSet,
        _ notices: borrowing Notices
    ) {
        let silent = settings.silent
        settings = unsafe ScoreSettings(
            parameters, silent: TrackSet(score.pointee.isSilent), isFilling: score.pointee.isFilling,
            end: score.pointee.end, tempoRevision: score.pointee.tempoRevision)
        notes.wholeLength = settings.length
        unsafe launches.apply(score, playing: &notes, moving: &motions)
        unsafe live.apply(parameters, silent: settings.silent, score.pointee.bindings)
        unsafe voices.sender.echoes.apply(isCircular: score.pointee.isMidiCircular)
        live.fadeSilent(&voices, at: frame)
        transport.apply(settings.transport(sampleRate: sampleRate), at: frame)
        settle(&voices, notices)
        followTimes()
        held.compare(with: notes)
        for track in 0..<trackCount { releaseNotes(of: track, &voices) }
        for track in 0..<trackCount where settings.isSilent(track) && !silent.contains(track) {
            dropStarts(of: track)
        }
        for track in 0..<trackCount where transport.runs && !startsAnew && !hasMoved { replanStarts(on: track) }
    }

    /// Applies what became of the timeline that a client holds.
    mutating func apply(_ news: TimelineNews) { transport.timeline.apply(news) }

    /// Does what a command says.
    mutating func perform(_ command: RtCommand, _ voices: inout VoiceSet, _ notices: borrowing Notices) {
        switch command {
        case .play: transport.play(at: frame)
        case .pause: transport.pause()
        case .stop: transport.stop()
        case .suspend: transport.suspend()
        case .restore(let state, let step): transport.restore(state, step: Int(step), at: frame)
        case .silence: transport.end()
        case .finish:
            if transport.runs { endFrame = frame }
            transport.finish()
        case .locate(let step): transport.locate(Int(step), at: frame)
        case .record(let isOn): return live.record(isOn, moment, &voices, notices)
        case .audition(let track, let notes, let velocity):
            return audition(Int(track), notes, isAccent: velocity == 2, &voices)
        }
        transport.answer()
        settle(&voices, notices)
    }

    private mutating func audition(_ track: Int, _ notes: UInt16, isAccent: Bool, _ voices: inout VoiceSet) {
        guard track >= 0 && track < trackCount && !settings.isSilent(track) else { return }
        for note in 0..<noteCount where notes >> UInt16(truncatingIfNeeded: note) & 1 == 1 {
            held.forget(track: track, note: note)
            live.lose(track: track, note: note)
            let stroke = Stroke(isAccent: isAccent, stepSeconds: stepSeconds(of: track), sustainSteps: 0)
            voices.start(track: track, note: note, stroke, at: frame)
        }
    }
}

// MARK: - Launches and releases

extension Sequencer {
    /// Lets those launches take effect that are due with a step, all with the same frame.
    private mutating func launch(
        with songStep: Int64, _ voices: inout VoiceSet, _ notices: borrowing Notices, at frame: Int64,
        _ usecs: UInt64
    ) {
        for track in 0..<trackCount
        where launches.isDue(track, with: songStep, in: transport.loop, isFirst: startsAnew) {
            let launch = launches.launch(of: track)
            if launches.carryOut(track, playing: &notes, moving: &motions) {
                releaseSustained(track, &voices)
                forgetStarts(of: track)
                times[track] = notes.times[track].time(in: transport.loop)
                joins[track] = true
            }
            moveTone(of: track, &voices)
            notices.push(
                .launch(
                    track: Int32(truncatingIfNeeded: track), slot: launch.slot, number: launch.number, frame: frame,
                    usecs: usecs))
        }
    }

    /// Releases the notes that an edit shortened and that end now.
    mutating func releaseNotes(of track: Int, _ voices: inout VoiceSet) {
        for note in 0..<noteCount where held.takeReleased(track: track, note: note) {
            voices.fade(track: track, note: note, at: frame)
        }
    }

    /// Lets go of the notes of the slot that a track has played: sustains end, others ring out.
    private mutating func releaseSustained(_ track: Int, _ voices: inout VoiceSet) {
        for note in 0..<noteCount {
            guard let start = held.takeSustained(track: track, note: note) else { continue }
            voices.release(track: track, note: note, heldSince: start, at: frame)
        }
    }

    private mutating func silence(_ voices: inout VoiceSet, _ notices: borrowing Notices) {
        starts.removeAll()
        for index in 0..<trackCount * noteCount { unsafe begun.elements[index] = .min }
        voices.fadeAll(at: frame)
        live.cut(moment, notices)
        held.forgetAll()
    }

    /// The tracks that are muted, or not the soloed one.
    var silent: TrackSet { settings.silent }

    /// How long a sixteenth lasts, swing apart.
    var stepSeconds: Double { 15 / transport.bpm }

    /// Whether the tempo is ours, and not that of a clock which is followed.
    var isTempoOwn: Bool { transport.isTempoOwn }
}
