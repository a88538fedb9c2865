/// Plays the score: does what the transport says, starts and releases notes, and tells the control loop.
struct Sequencer: ~Copyable {
    /// What is played, but for its cells.
    private var settings: ScoreSettings
    private var cells: ScoreCells
    private var launches: LaunchBoard
    /// Whether the next step is the one that the music starts with.
    private var startsAnew = true
    /// Frames rendered since the engine was made; all voices' times are in these.
    private(set) var frame: Int64 = 0

    private var transport: Transport
    /// The first message of the cycle that has not been taken.
    private var midiIndex = 0
    private var parser = MidiParser()
    private var live = LiveKeys()
    private var held = HeldNotes()
    private var sampleRate: Double

    init(_ score: Score, _ parameters: borrowing LiveParameters, sampleRate: Double) {
        settings = ScoreSettings(parameters, silent: TrackSet(score.isSilent))
        cells = ScoreCells(score)
        launches = LaunchBoard(score)
        self.sampleRate = sampleRate
        transport = Transport(settings.transport(sampleRate: sampleRate))
        live.take(parameters, silent: settings.silent, score.bindings)
    }

    /// Fits another sample rate; all sound is gone, the step in progress goes on from where it is.
    mutating func prepare(sampleRate: Double) {
        self.sampleRate = sampleRate
        transport.take(settings.transport(sampleRate: sampleRate), at: frame)
        held.forgetAll()
        live.forgetAll()
    }

    // MARK: Time

    /// Goes where the cycle's outside says that the music is.
    @_noLocks @_noAllocation
    mutating func begin(_ cycle: RtCycle, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        midiIndex = 0
        transport.begin(cycle, at: frame)
        live.begin(cycle, sampleRate: sampleRate)
        settle(&voices, notices)
    }

    /// Takes the messages that came by the present frame.
    @_noLocks @_noAllocation
    mutating func receive(
        _ port: MidiBuffer, _ voices: inout VoiceSet, _ exchange: borrowing Exchange, offset: Int, in cycle: RtCycle
    ) {
        while unsafe midiIndex < port.count, unsafe Int(port.event(midiIndex).frame) <= offset {
            let bytes = unsafe port.event(midiIndex)
            midiIndex += 1
            for index in 0..<Int(bytes.count) {
                let byte = index == 0 ? bytes.status : index == 1 ? bytes.first : bytes.second
                guard let message = parser.take(byte) else { continue }
                exchange.midi.push(message, offset: offset, in: cycle)
                receive(message, &voices, exchange.notices)
            }
        }
    }

    /// Takes a message: of the clock, or of a channel.
    @_noLocks @_noAllocation
    private mutating func receive(
        _ message: MidiEvent, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing
    ) {
        if message.status >= 0xf0 {
            transport.receive(message, at: frame)
            settle(&voices, notices)
        }
        live.take(message, moment, &voices, notices)
        while let index = live.takePressed() { held.forget(track: index / noteCount, note: index % noteCount) }
    }

    /// The present frame, and where the music is.
    private var moment: Moment {
        @_noLocks @_noAllocation get {
            Moment(frame: frame, stepSeconds: stepSeconds, clock: transport.runs ? transport.clock : nil)
        }
    }

    /// Tells what became of messages.
    @_noLocks @_noAllocation
    mutating func report(to midi: borrowing MidiExchange) {
        midi.count(echoes: live.takeEchoCount(), skipped: parser.skippedCount)
    }

    /// Sends what is due of our clock with the present frame.
    @_noLocks @_noAllocation
    mutating func sendClock(to port: MidiBuffer, offset: Int) {
        unsafe transport.sendClock(at: frame, offset: offset, to: port)
    }

    /// Starts the step that is due with the present frame, if there is one.
    @_noLocks @_noAllocation
    mutating func startDueStep(
        _ voices: inout VoiceSet, _ notices: borrowing NoticeRing, offset: Int, in cycle: RtCycle
    ) {
        transport.reach(frame)
        settle(&voices, notices)
        guard let step = transport.nextStep(at: frame) else { return }
        let usecs = cycle.startUsecs + UInt64(Double(offset) * cycle.usecsPerFrame + 0.5)
        held.countStep()
        releaseNotes(&voices)
        launch(with: step, &voices, notices, at: cycle.startFrame + Int64(offset), usecs)
        startsAnew = false
        let started = startNotes(on: step, &voices)
        notices.push(
            .step(
                step: Int32(truncatingIfNeeded: step), frame: cycle.startFrame + Int64(offset), usecs: usecs,
                notes: started, songStep: Int32(truncatingIfNeeded: transport.clock.songStep)))
    }

    /// Does what the last change of the transport led to.
    @_noLocks @_noAllocation
    private mutating func settle(_ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        while let consequence = transport.nextConsequence() {
            switch consequence {
            case .cut: silence(&voices, notices)
            case .moved(let state, let step):
                notices.push(.transport(state: state, step: Int32(truncatingIfNeeded: step)))
            }
        }
        if !transport.runs { startsAnew = true }
    }

    /// Frames until something is due or comes, at most `count`.
    @_noLocks @_noAllocation
    func stretch(from offset: Int, atMost count: Int, _ port: MidiBuffer) -> Int {
        let quiet = transport.quietFrames(from: frame, atMost: count)
        guard unsafe midiIndex < port.count else { return quiet }
        return unsafe min(quiet, max(0, Int(port.event(midiIndex).frame) - offset))
    }

    /// Lets frames pass.
    @_noLocks @_noAllocation
    mutating func advance(_ count: Int) {
        frame += Int64(count)
    }

    // MARK: What others are told

    /// What the transport asks of JACK's.
    @_noLocks @_noAllocation
    mutating func takeRequest() -> TransportRequest { transport.takeRequest() }

    /// Bar and beat at a frame of JACK's transport by our own timebase, for JACK to tell.
    @_noLocks @_noAllocation
    mutating func tellBar(at frame: Int64) -> BarPosition { transport.jack.tellBar(at: frame) }

    /// Whether bar and beat that JACK tells are what we told last.
    @_noLocks @_noAllocation
    func hasTold(_ bar: BarPosition) -> Bool { transport.jack.hasTold(bar) }

    /// What the transport does with the present frame, the first one after a cycle.
    @_noLocks @_noAllocation
    func report(after cycle: RtCycle) -> TransportReport { transport.report(at: frame, after: cycle) }

    // MARK: Changes, at the start of a period

    /// Plays another score from now on.
    @_noLocks @_noAllocation
    mutating func take(
        _ score: UnsafePointer<Score>, _ parameters: borrowing LiveParameters, _ voices: inout VoiceSet,
        _ notices: borrowing NoticeRing
    ) {
        settings = unsafe ScoreSettings(
            parameters, silent: TrackSet(score.pointee.isSilent))
        cells.length = settings.length
        unsafe launches.take(score, playing: &cells)
        unsafe live.take(parameters, silent: settings.silent, score.pointee.bindings)
        live.fadeSilent(&voices, at: frame)
        transport.take(settings.transport(sampleRate: sampleRate), at: frame)
        settle(&voices, notices)
        held.compare(with: cells)
        releaseNotes(&voices)
    }

    /// Takes the timeline that somebody outside holds, nil for none.
    @_noLocks @_noAllocation
    mutating func take(_ timeline: Timeline?) { transport.timeline.take(timeline) }

    /// Does what a command says.
    @_noLocks @_noAllocation
    mutating func perform(_ command: RtCommand, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        switch command {
        case .play: transport.play(at: frame)
        case .pause: transport.pause()
        case .stop: transport.stop()
        case .suspend: transport.suspend()
        case .restore(let state, let step): transport.restore(state, step: Int(step), at: frame)
        case .silence: transport.end()
        case .finish: transport.finish()
        case .locate(let step): transport.locate(Int(step), at: frame)
        case .record(let isOn): return live.record(isOn, moment, &voices, notices)
        case .audition(let track, let notes, let velocity):
            return audition(Int(track), notes, isAccent: velocity == 2, &voices)
        }
        transport.answer()
        settle(&voices, notices)
    }

    @_noLocks @_noAllocation
    private mutating func audition(_ track: Int, _ notes: UInt16, isAccent: Bool, _ voices: inout VoiceSet) {
        guard track >= 0 && track < trackCount && !settings.isSilent(track) else { return }
        for note in 0..<noteCount where notes >> UInt16(truncatingIfNeeded: note) & 1 == 1 {
            held.forget(track: track, note: note)
            live.lose(track: track, note: note)
            let stroke = Stroke(isAccent: isAccent, stepSeconds: stepSeconds, sustainSteps: 0)
            voices.start(track: track, note: note, stroke, at: frame)
        }
    }
}

// MARK: - Notes

extension Sequencer {
    /// Lets those launches take effect that are due with a step, all with the same frame.
    @_noLocks @_noAllocation
    private mutating func launch(
        with step: Int, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing, at frame: Int64, _ usecs: UInt64
    ) {
        let songStep = transport.clock.songStep
        for track in 0..<trackCount
        where launches.isDue(track, step: step, songStep: songStep, isFirst: startsAnew) {
            let launch = launches.launch(of: track)
            if launches.carryOut(track, playing: &cells) { releaseSustained(track, &voices) }
            notices.push(
                .launch(
                    track: Int32(truncatingIfNeeded: track), slot: launch.slot, number: launch.number, frame: frame,
                    usecs: usecs))
        }
    }

    /// Starts the notes of a step.
    ///
    /// - Returns: The heads that were started.
    @_noLocks @_noAllocation
    private mutating func startNotes(on step: Int, _ voices: inout VoiceSet) -> PerTrack<UInt32> {
        var started = PerTrack<UInt32>(repeating: 0)
        for track in 0..<trackCount {
            started[track] = cells.heads(track: track, step: step)
            startNotes(started[track], step: step, track: track, &voices)
        }
        return started
    }

    /// Starts the notes of packed cells, all heads, on a step.
    @_noLocks @_noAllocation
    private mutating func startNotes(_ heads: UInt32, step: Int, track: Int, _ voices: inout VoiceSet) {
        var rest = heads
        while rest != 0 {
            let note = rest.trailingZeroBitCount / 2
            let isAccent = heads >> UInt32(truncatingIfNeeded: 2 * note) & 3 == 2
            rest &= ~(3 << UInt32(truncatingIfNeeded: 2 * note))
            if live.hasPlayed(track: track, note: note, songStep: transport.clock.songStep) { continue }
            live.lose(track: track, note: note)
            let sustainCount =
                voices.holdsNotes(of: track) ? cells.sustainCount(track: track, note: note, head: step) : 0
            held.start(track: track, note: note, head: step, sustainCount: sustainCount, at: frame)
            let stroke = Stroke(isAccent: isAccent, stepSeconds: stepSeconds, sustainSteps: sustainCount)
            voices.start(track: track, note: note, stroke, at: frame)
        }
    }

    /// Releases the notes that an edit shortened and that end now.
    @_noLocks @_noAllocation
    private mutating func releaseNotes(_ voices: inout VoiceSet) {
        for track in 0..<trackCount {
            for note in 0..<noteCount where held.takeReleased(track: track, note: note) {
                voices.fade(track: track, note: note, at: frame)
            }
        }
    }

    /// Lets go of the notes of the slot that a track has played: sustains end, others ring out.
    @_noLocks @_noAllocation
    private mutating func releaseSustained(_ track: Int, _ voices: inout VoiceSet) {
        for note in 0..<noteCount {
            guard let start = held.takeSustained(track: track, note: note) else { continue }
            voices.release(track: track, note: note, heldSince: start, at: frame)
        }
    }

    @_noLocks @_noAllocation
    private mutating func silence(_ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        voices.fadeAll(at: frame)
        live.cut(moment, notices)
        held.forgetAll()
    }

    /// The tracks that are muted, or not the soloed one.
    var silent: TrackSet {
        @_noLocks @_noAllocation get { settings.silent }
    }

    /// How long a step lasts, swing apart.
    var stepSeconds: Double {
        @_noLocks @_noAllocation get { 15 / transport.bpm }
    }
}
