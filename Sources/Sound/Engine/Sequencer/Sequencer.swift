import Music

/// Plays the score: follows the transport, starts and releases notes, and notifies the control loop.
struct Sequencer: ~Copyable {
    private let place = Pinned()
    /// The newest score.
    var score: ScoreReader
    /// Its settings.
    var settings: ScoreSettings
    var launches: LaunchBoard
    /// The frame at which the music ended, to ring out; moving parameters stay as they were then.
    var endFrame = Int64.max
    /// Whether the music starts with the next step.
    var startsAnew = true
    /// See ``fetchStart()``.
    private var start: MusicStart?
    /// Whether the music has jumped since the last step.
    var hasMoved = false
    /// Whether there was no room for the last notice of the transport's state.
    private(set) var owesState = false
    /// When each track's steps are played, as last read from the score and the whole pattern's loop.
    var times = PerTrack(repeating: TrackTime(whole: Loop(length: stepCount)))
    /// Each track's step in progress, counted from the song's start.
    var counts = PerTrack(repeating: Int64(0))
    /// The step of the song with which each track's slot began to play. Not the pass, whose number depends on length
    /// and speed.
    var firstSteps = PerTrack(repeating: Int64(0))
    /// Frames since the engine was made; the time base of all voices.
    private(set) var frame: Int64 = 0

    var transport: Transport
    /// The index of the cycle's first unread message.
    var midiIndex = 0
    var parser = MidiParser()
    var live = LiveKeys()
    var clockMessages = DelayedMessages()
    var held = HeldNotes()
    var starts = StartQueue()
    /// The tracks whose music begins with the current step. Their early notes start on the step, because there was no time
    /// before it.
    var joins = PerTrack(repeating: false)
    var sampleRate: Double

    init(_ score: ScoreReader, sampleRate: Double) {
        self.score = score
        settings = ScoreSettings(score)
        launches = LaunchBoard(score)
        self.sampleRate = sampleRate
        transport = Transport(settings.transport(sampleRate: sampleRate))
        live.apply(score)
    }

    /// Changes the sample rate and drops all sound; the step in progress continues from where it is.
    mutating func prepare(sampleRate: Double, _ output: inout EngineOutput) {
        // Before the clock changes, which measures their lengths.
        live.endAll(moment, &output)
        transport.missTicks(at: frame)
        self.sampleRate = sampleRate
        transport.apply(settings.transport(sampleRate: sampleRate), at: frame)
        starts.removeAll()
        held.forgetAll()
    }

    /// Goes where the outside sources say that the music is, at the start of a cycle.
    mutating func begin(_ cycle: RtCycle, _ output: inout EngineOutput) {
        midiIndex = 0
        output.time = DriverTime(0, in: cycle)
        if owesState, output.notices.hasRoom { transport.answer() }
        transport.begin(cycle, at: frame)
        live.begin(cycle)
        output.voices.sender.echoes.begin(cycle, at: frame, sampleRate: sampleRate)
        settle(&output)
    }

    /// Begins the step that is due at the current frame, if there is one, and starts the notes that are due.
    mutating func startDueNotes(
        _ output: inout EngineOutput, offset: Int, in cycle: RtCycle
    ) {
        transport.reach(frame)
        settle(&output)
        output.time = DriverTime(offset, in: cycle)
        if let songStep = transport.nextStep(at: frame) {
            if startsAnew { start = MusicStart(isFresh: output.voices.beginMusic()) }
            startDue(before: SongPlace(songStep: songStep), &output)
            pass(songStep, &output)
            var started = planSteps(with: songStep)
            if transport.clock.isOverdue {
                beginOverdueStep(songStep, &started, &output)
            }
            output.notices.push(
                .step(
                    StepNotice(
                        step: Int32(truncatingIfNeeded: transport.step), frame: output.time.frame,
                        usecs: output.time.usecs,
                        notes: started, songStep: SongStep(songStep, in: transport.loop), firstSteps: firstSteps)))
        }
        startSteps(&output)
        beginDueNotes(&output)
    }

    /// The start of the music since the last call.
    mutating func fetchStart() -> MusicStart? {
        defer { start = nil }
        return start
    }

    private mutating func beginDueNotes(
        _ output: inout EngineOutput
    ) {
        while let start = starts.first, self.frame(of: start.place) <= frame {
            begin(start, &output)
        }
    }

    /// Begins the notes of a step that was already past when the music started, if it is the first such step. The others are
    /// dropped, as they would all sound at once.
    private mutating func beginOverdueStep(
        _ songStep: Int64, _ started: inout PerTrack<StartedNotes>, _ output: inout EngineOutput
    ) {
        if songStep == transport.clock.startStep {
            beginDueNotes(&output)
        } else {
            started = PerTrack(repeating: StartedNotes())
            dropPastStarts()
        }
        skipSteps(&output)
    }

    /// Catches up with steps in frames that were not rendered: ends and launches take effect at the current frame,
    /// missed starts are dropped.
    mutating func catchUp(_ output: inout EngineOutput, in cycle: RtCycle) {
        output.time = DriverTime(0, in: cycle)
        dropPastStarts()
        while let songStep = transport.nextStep(at: frame - 1) {
            skipSteps(before: SongPlace(songStep: songStep), &output)
            pass(songStep, &output)
            _ = planSteps(with: songStep)
            dropPastStarts()
        }
        skipSteps(&output)
    }

    /// Carries out the consequences of the transport's last change.
    mutating func settle(_ output: inout EngineOutput) {
        while let consequence = transport.nextConsequence() {
            switch consequence {
            case .cut:
                silence(&output)
                hasMoved = true
            case .moved(let state, let step):
                owesState = !output.notices.push(
                    .transport(
                        state: state, step: Int32(truncatingIfNeeded: step),
                        songStep: SongStep(transport.clock.songStep, in: transport.loop)))
            }
            followTimes()
            moveTones(&output)
        }
        if transport.runs { endFrame = .max } else { startsAnew = true }
    }

    private mutating func silence(_ output: inout EngineOutput) {
        starts.forgetAll()
        output.voices.fadeAll(at: frame)
        live.cut(moment, &output)
        held.forgetAll()
    }

    /// Frames until something is due or arrives, at most `count`.
    func stretch(from offset: Int, atMost count: Int, _ port: MidiBuffer) -> Int {
        var quiet = transport.quietFrames(from: frame, atMost: count)
        var next = nextStepBetweenFrame
        if let start = starts.first { next = min(next, self.frame(of: start.place)) }
        quiet = Int(max(0, min(Int64(quiet), next - frame)))
        guard unsafe midiIndex < port.count else { return quiet }
        return unsafe min(quiet, max(0, Int(port.event(midiIndex).frame) - offset))
    }

    /// Skips frames that were not rendered: the music continues as if they had been. After more than a second it
    /// continues from where it was.
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

    mutating func advance(_ count: Int) {
        frame += Int64(count)
    }

    /// What the tracks play.
    var played: PlayedSlots { PlayedSlots(score, launches.playing, wholeLength: settings.length) }

    /// Whether a step is in progress, and the music has not jumped since.
    var isInStep: Bool { transport.runs && !startsAnew && !hasMoved }

    /// How long a sixteenth lasts, without swing.
    var stepSeconds: Double { 15 / transport.bpm }

    /// The transport's state and the launches at the current frame, the first one after a cycle.
    func report(after cycle: RtCycle) -> TransportReport {
        var report = transport.report(at: frame, after: cycle)
        report.launches = launches.done
        return report
    }
}

/// The music has started.
struct MusicStart: BitwiseCopyable {
    /// Whether no voice sounded.
    var isFresh: Bool
}

// MARK: Control memory

extension Sequencer {
    /// What is remembered while everything is silent, but for what follows from the score.
    struct Memory: BitwiseCopyable {
        var launches: LaunchBoard.Memory
        var endFrame: Int64
        var startsAnew: Bool
        var hasMoved: Bool
        var owesState: Bool
        var times: PerTrack<TrackTime>
        var counts: PerTrack<Int64>
        var firstSteps: PerTrack<Int64>
        var frame: Int64
        var transport: Transport.Memory
        var parser: MidiParser
        var live: LiveKeys.Memory
        var clockMessages: DelayedMessages.Memory
        var held: HeldNotes.Memory
        var begun: StartQueue.Memory
        var joins: PerTrack<Bool>
    }

    func copy(into memory: inout Memory) {
        launches.copy(into: &memory.launches)
        (memory.endFrame, memory.startsAnew, memory.hasMoved) = (endFrame, startsAnew, hasMoved)
        (memory.owesState, memory.frame) = (owesState, frame)
        (memory.times, memory.counts, memory.firstSteps, memory.joins) = (times, counts, firstSteps, joins)
        memory.transport = transport.memory
        memory.parser = parser
        live.copy(into: &memory.live)
        clockMessages.copy(into: &memory.clockMessages)
        held.copy(into: &memory.held)
        starts.copy(into: &memory.begun)
    }

    /// - Parameter score: The one that had been applied.
    mutating func restore(_ memory: Memory, _ score: ScoreReader) {
        self.score = score
        settings = ScoreSettings(score)
        launches.restore(memory.launches)
        (endFrame, startsAnew, hasMoved) = (memory.endFrame, memory.startsAnew, memory.hasMoved)
        (owesState, frame) = (memory.owesState, memory.frame)
        (times, counts, firstSteps, joins) = (memory.times, memory.counts, memory.firstSteps, memory.joins)
        transport.restore(memory.transport)
        parser = memory.parser
        live.apply(score)
        live.restore(memory.live)
        clockMessages.restore(memory.clockMessages)
        held.restore(memory.held)
        starts.restore(memory.begun)
        start = nil
    }

    /// Whether no start is queued, and no more messages of our clock wait than its memory has room for.
    var hasEmptyQueues: Bool { starts.first == nil && clockMessages.fitsMemory }
}
