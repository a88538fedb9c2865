import Synchronization

/// Clock, voices and mixer: everything that belongs to the audio thread, but for the ``Master``.
struct Synth: ~Copyable {
    /// See ``Engine/soundingTracks``.
    private(set) var sounding = TrackSet()
    private var tables: WavetableSet
    private(set) var output: EngineOutput
    private(set) var mixer: Mixer
    private(set) var controllers: MotionSender
    private(set) var sequencer: Sequencer
    private var parameters: LiveParameters
    private var scope: Scope
    private var blocks: BlockWriter
    private var rest: Rest
    /// The transport's after the last cycle.
    private var report = TransportReport()
    /// The driver's next frame if no period is lost; nil before the first cycle.
    private var nextFrame: Int64?
    /// The first frame of the last cycle.
    private var lastFrame: Int64 = 0
    /// The newest ``RtCycle/connectionCount``.
    private var connectionCount: Int32 = 0
    /// The numbers of the score, the timeline and the punch-ins that were applied last.
    private var (scoreNumber, timelineNumber): (UInt, UInt) = (0, 0)
    private(set) var punchInsNumber: UInt = 0
    /// The kit of samples that was applied last.
    private var samples = SampleReference()
    /// The punch-ins that act.
    private var punchBoard = PunchBoard()

    /// A synth that must be prepared before it plays: its tables of metal are made last.
    init(_ score: ScoreReader, _ notices: Notices) {
        let sampleRate = 48_000.0
        tables = WavetableSet.at(sampleRate: sampleRate)
        parameters = score.parameters
        output = EngineOutput(VoiceSet(tables: tables, nil, parameters, sampleRate: sampleRate), notices)
        sequencer = Sequencer(score, sampleRate: sampleRate)
        mixer = Mixer(sampleRate: sampleRate)
        controllers = MotionSender(sampleRate: sampleRate)
        output.voices.apply(routes: parameters, silent: sequencer.settings.silent, at: sequencer.frame)
        output.voices.sender.echoes.apply(isCircular: score.isMidiCircular)
        scope = Scope(sampleRate: sampleRate)
        blocks = BlockWriter(sampleRate: sampleRate)
        rest = Rest(sampleRate: sampleRate)
        beginMixing()
    }

    /// Gives new strips their levels.
    private mutating func beginMixing() {
        mixer.move(output.voices.strips, to: parameters, silent: sequencer.settings.silent)
        mixer.beginAnew(output.voices.strips, at: 0)
    }

    /// A silent master for the synth's mixes.
    func makeMaster() -> Master { Master(MasterSettings(parameters), sampleRate: output.voices.sampleRate) }

    /// Resets everything but the position, for a new sample rate among ``Engine/sampleRates``.
    mutating func prepare(sampleRate: Double) {
        nextFrame = nil
        punchBoard.endAll()
        rest = Rest(sampleRate: sampleRate)
        tables = WavetableSet.at(sampleRate: sampleRate)
        let isCircular = output.voices.sender.echoes.isCircular
        var newVoices = VoiceSet(
            tables: tables, MetalSet.at(sampleRate: sampleRate), parameters, sampleRate: sampleRate)
        newVoices.apply(routes: parameters, silent: sequencer.settings.silent, at: sequencer.frame)
        newVoices.sender.replace(output.voices.sender)
        output.voices = newVoices
        output.voices.sender.echoes.apply(isCircular: isCircular)
        output.voices.apply(samples)
        sequencer.prepare(sampleRate: sampleRate, &output)
        mixer = Mixer(sampleRate: sampleRate)
        beginMixing()
        controllers.prepare(sampleRate: sampleRate)
        scope = Scope(sampleRate: sampleRate)
        blocks = BlockWriter(sampleRate: sampleRate)
    }

    /// Forgets all sound.
    mutating func resetSound() {
        output.voices.resetSound()
        sounding = TrackSet()
    }

    /// The same, but the punch-ins that are held act on.
    mutating func convert(to sampleRate: Double) {
        let board = punchBoard
        prepare(sampleRate: sampleRate)
        punchBoard = board
        punchBoard.tellAgain()
    }

    /// Makes one step: what a cycle is given becomes the tracks' sound and their mix; the effects' ports get silence.
    ///
    /// - Parameters:
    ///   - score: The score with the intake's number, valid until the next one.
    ///   - ports: Their outputs are cleared.
    /// - Returns: The request to JACK's transport.
    mutating func step(
        _ intake: Intake, _ score: ScoreReader, _ ports: RtPorts, _ mix: inout Mix, _ sinks: borrowing Sinks
    ) -> OutsideRequest {
        let missedFrames = missedFrames(before: intake.cycle)
        if unsafe intake.midi.hasMessages || missedFrames > 0 { rest.end() }
        unsafe renderMusic(intake, score, ports, &mix, sinks, missedFrames: missedFrames)
        report = sequencer.report(after: intake.cycle)
        sinks.reports.publish(report)
        remember(intake.cycle)
        return sequencer.transport.fetchRequest()
    }

    /// Ends a cycle whose ports are finished: shows them to who watches.
    ///
    /// - Parameter isIdle: Whether the cycle had nothing to do but what the synth itself did.
    mutating func finish(_ cycle: RtCycle, _ ports: RtPorts, isIdle isOtherwiseIdle: Bool, _ sinks: borrowing Sinks) {
        unsafe scope.measure(ports, cycle, sinks.scope)
        unsafe blocks.copy(ports, cycle, sinks.blocks)
        rest.pass(cycle, report, isIdle: isIdle && isOtherwiseIdle)
    }

    /// The oldest generation of samples that is or may still be played.
    var oldestSamples: Int { output.voices.oldestSamples }

    /// Whether there has been nothing to do for a second.
    var isResting: Bool { rest.isReached }

    /// Skips a cycle for which nothing has come, if the engine rests and can.
    ///
    /// - Returns: Whether it did.
    mutating func rest(through cycle: RtCycle, _ sinks: borrowing Sinks) -> Bool {
        guard isResting, missedFrames(before: cycle) == 0, cycle.connectionCount == connectionCount,
            rest.isUndisturbed(by: cycle.outside)
        else { return false }
        sequencer.rest(through: cycle)
        sinks.reports.publish(rest.report(after: cycle))
        remember(cycle)
        return true
    }

    private mutating func remember(_ cycle: RtCycle) {
        lastFrame = cycle.startFrame
        nextFrame = cycle.startFrame + Int64(cycle.frameCount)
    }

    /// Applies the control thread's changes, renders the music from step to step, then mixes.
    private mutating func renderMusic(
        _ intake: Intake, _ score: ScoreReader, _ ports: RtPorts, _ mix: inout Mix, _ sinks: borrowing Sinks,
        missedFrames: Int
    ) {
        let cycle = intake.cycle
        let isBehind = sequencer.skip(missedFrames)
        unsafe beginKeys(ports.midiOut, in: cycle)
        if isBehind { sequencer.catchUp(&output, in: cycle) }
        mixer.begin(&mix, frameCount: cycle.frameCount)
        apply(intake, score, &mix)
        var done = 0
        while done < cycle.frameCount {
            output.voices.sender.advance(to: sequencer.frame)
            sequencer.moveTones(&output)
            unsafe sequencer.receive(intake.midi, &output, sinks.midi, offset: done, in: cycle)
            sequencer.startDueNotes(&output, offset: done, in: cycle)
            // If no track sounded, the mixer begins anew.
            if let start = sequencer.fetchStart(), start.isFresh {
                mixer.beginAnew(output.voices.strips, at: sequencer.frame)
            }
            sequencer.sendClock(offset: done)
            let stretch = unsafe sequencer.stretch(
                from: done, atMost: cycle.frameCount - done, intake.midi)
            mixer.follow(
                isKicked: output.voices.fetchKick(), stepSeconds: sequencer.stepSeconds,
                isOwn: sequencer.transport.isTempoOwn, &mix, offset: done, count: stretch)
            followPunchIns()
            controllers.follow(sequencer, parameters, &output, count: stretch)
            unsafe mixer.render(&output.voices, sequencer, ports, &mix, offset: done, count: stretch)
            sequencer.advance(stretch)
            done += stretch
        }
        output.voices.sender.finish(before: sequencer.frame)
        unsafe sequencer.finishClock(to: ports.clockOut, in: cycle)
        output.voices.reportKeys(to: sinks.peaks)
        sinks.midi.delayed.add(output.voices.sender.fetchDelayedCount())
        sequencer.report(to: sinks.midi)
        mixer.report(mix, output.voices.strips, to: sinks.peaks)
        sounding = mix.sounding
    }

    /// Lets the tracks follow the punch-ins that act from the current frame on.
    private mutating func followPunchIns() {
        let (isPlaying, runs) = (sequencer.transport.isPlaying, sequencer.transport.runs)
        guard punchBoard.follow(isPlaying: isPlaying, runs: runs) else { return }
        for track in 0..<trackCount {
            output.voices.strips[track].punchIns.follow(
                punchBoard, on: track, sequencer.transport.clock, at: sequencer.frame)
        }
    }

    /// Frames since the last cycle that were not rendered.
    private func missedFrames(before cycle: RtCycle) -> Int {
        guard let nextFrame, cycle.countsGaps else { return 0 }
        // jackd advances its count by the period of the cycle that begins (JackFrameTimer): a longer period is no gap.
        guard cycle.startFrame != lastFrame + Int64(cycle.frameCount) else { return 0 }
        return Int(max(0, cycle.startFrame - nextFrame))
    }

    /// Bar and beat at a frame of JACK's transport by our own timebase, for JACK to publish.
    mutating func publishBar(at frame: Int64) -> BarPosition { sequencer.transport.jack.publishBar(at: frame) }

    /// Whether bar and beat that JACK reports are what we published last.
    func hasPublished(_ bar: BarPosition) -> Bool { sequencer.transport.jack.hasPublished(bar) }

    /// Begins to send notes. New receivers do not know which keys are down.
    private mutating func beginKeys(_ port: MidiBuffer, in cycle: RtCycle) {
        if cycle.connectionCount != connectionCount {
            rest.end()
            connectionCount = cycle.connectionCount
            output.voices.sender.forget()
            controllers.forget()
        }
        unsafe output.voices.sender.begin(
            port, at: sequencer.frame, delay: sequencer.delay(in: cycle, ownLatency: cycle.midiOutLatency))
    }

    /// Applies what is new in an intake: the score, then the sources of time, the commands and the keys.
    private mutating func apply(_ intake: Intake, _ score: ScoreReader, _ mix: inout Mix) {
        if intake.score != scoreNumber { apply(score, number: intake.score, &mix) }
        if intake.timelineNumber != timelineNumber {
            rest.end()
            timelineNumber = intake.timelineNumber
            sequencer.transport.timeline.apply(intake.timeline)
        }
        if intake.samples.generation != samples.generation {
            rest.end()
            samples = intake.samples
            output.voices.apply(samples)
        }
        if intake.punchInsNumber != punchInsNumber {
            rest.end()
            punchInsNumber = intake.punchInsNumber
            punchBoard.apply(intake.punchIns)
        }
        sequencer.begin(intake.cycle, &output)
        sequencer.moveTones(&output)
        for index in 0..<intake.commands.count {
            rest.end()
            let command = intake.commands[index].command
            if command.endsPunchIns { punchBoard.endAll() }
            sequencer.perform(command, &output)
        }
        for index in 0..<intake.keys.count {
            rest.end()
            sequencer.play(intake.keys[index].key, &output)
        }
        mix.isLast = sequencer.transport.hasEnded
        output.notices.stamp(intake.obeyedCommands)
    }

    private mutating func apply(_ score: ScoreReader, number: UInt, _ mix: inout Mix) {
        rest.end()
        scoreNumber = number
        parameters = score.parameters
        output.voices.apply(parameters)
        sequencer.apply(score, &output)
        output.voices.apply(routes: parameters, silent: sequencer.settings.silent, at: sequencer.frame)
        mixer.move(output.voices.strips, to: parameters, silent: sequencer.settings.silent)
        mix.settings = MasterSettings(parameters)
    }

    /// Clears the outputs.
    func clear(_ ports: RtPorts, count: Int) {
        unsafe ports.midiOut.clear()
        unsafe ports.clockOut.clear()
        for index in 0..<PortIndex.audioOutputCount {
            unsafe ports.audio(index).update(repeating: 0, count: count)
        }
        guard unsafe ports.hasStems else { return }
        for index in 0..<PortIndex.stemCount {
            unsafe ports.audio(PortIndex.firstStem + index).update(repeating: 0, count: count)
        }
    }
}

// MARK: Control memory

extension Synth {
    /// What is remembered while everything is silent, but for what follows from the score.
    struct Memory: BitwiseCopyable {
        var sequencer: Sequencer.Memory
        var voices: VoiceSet.Memory
        var mixer: Mixer.Memory
        var controllers: MotionSender.Memory
        var nextFrame: Int64?
        var lastFrame: Int64
        var connectionCount: Int32
        var punchBoard: PunchBoard
    }

    /// The numbers of what was applied last.
    var numbers: TakeNumbers { TakeNumbers(score: scoreNumber, timeline: timelineNumber, kit: samples.generation) }

    /// Whether no track sounded in the last cycle, and no key is down.
    var isQuiet: Bool { sounding.isEmpty && output.voices.sender.isEmpty }

    /// Whether no voice sounds, all strips are at rest, no start or message is queued, and no key is down.
    var isSilent: Bool {
        output.voices.sender.isEmpty && sequencer.hasEmptyQueues && output.voices.isAsNew(at: sequencer.frame)
    }

    func copy(into memory: inout Memory) {
        sequencer.copy(into: &memory.sequencer)
        output.voices.copy(into: &memory.voices)
        memory.mixer = mixer.memory
        controllers.copy(into: &memory.controllers)
        (memory.nextFrame, memory.lastFrame) = (nextFrame, lastFrame)
        memory.connectionCount = connectionCount
        memory.punchBoard = punchBoard
    }

    /// Forgets everything, and remembers this instead. The newest score, timeline and kit count as those that had been
    /// applied.
    mutating func restore(_ memory: Memory, _ exchange: borrowing Exchange) {
        _ = exchange.scores.fetchNewest()
        let score = exchange.scores.current
        (parameters, scoreNumber) = (score.parameters, exchange.scores.number)
        _ = unsafe exchange.timelines.fetchNewest()
        timelineNumber = exchange.timelines.number
        samples = exchange.samples.newest
        _ = unsafe exchange.punchIns.fetchNewest()
        (punchInsNumber, punchBoard) = (exchange.punchIns.number, memory.punchBoard)
        output.voices.restore(memory.voices, parameters)
        output.voices.apply(samples)
        sequencer.restore(memory.sequencer, score)
        mixer.restore(memory.mixer, parameters)
        controllers.restore(memory.controllers)
        (nextFrame, lastFrame) = (memory.nextFrame, memory.lastFrame)
        connectionCount = memory.connectionCount
        sounding = TrackSet()
        rest.end()
    }
}
