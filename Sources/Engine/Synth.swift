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
    /// The kit of samples that was published last.
    private var samples = SampleReference()

    init(_ score: ScoreReader, _ notices: Notices) {
        let sampleRate = 48_000.0
        tables = WavetableSet.at(sampleRate: sampleRate)
        parameters = score.parameters
        output = EngineOutput(VoiceSet(tables: tables, parameters, sampleRate: sampleRate), notices)
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
        rest = Rest(sampleRate: sampleRate)
        tables = WavetableSet.at(sampleRate: sampleRate)
        let isCircular = output.voices.sender.echoes.isCircular
        var newVoices = VoiceSet(tables: tables, parameters, sampleRate: sampleRate)
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
    mutating func resetSound(_ master: inout Master) {
        voices.resetSound()
        master.reset()
        sounding = TrackSet()
    }

    /// Renders one cycle.
    ///
    /// - Returns: The request to JACK's transport.
    mutating func render(
        _ cycle: RtCycle, _ ports: RtPorts, _ mix: inout Mix, _ master: inout Master, _ exchange: borrowing Exchange
    ) -> OutsideRequest {
        if unsafe !ports.midiIn.hasMessages, rest(through: cycle, exchange) {
            unsafe clear(ports, count: cycle.frameCount)
            return OutsideRequest()
        }
        let request = unsafe renderTracks(cycle, ports, &mix, exchange)
        unsafe master.finish(&mix, ports)
        unsafe scope.measure(ports, cycle, exchange.scope)
        unsafe blocks.copy(ports, cycle, exchange.blocks)
        let hasNothingToDo = isIdle && master.isSilent && !exchange.isWatched && request.isEmpty
        rest.pass(cycle, report, isIdle: hasNothingToDo)
        return request
    }

    /// Renders the tracks of a cycle and mixes them; the effects' ports get silence.
    ///
    /// - Returns: The request to JACK's transport.
    mutating func renderTracks(
        _ cycle: RtCycle, _ ports: RtPorts, _ mix: inout Mix, _ exchange: borrowing Exchange
    ) -> OutsideRequest {
        unsafe clear(ports, count: cycle.frameCount)
        exchange.nextFrame.store(cycle.startFrame + Int64(cycle.frameCount), ordering: .sequentiallyConsistent)
        let missedFrames = missedFrames(before: cycle)
        if unsafe ports.midiIn.hasMessages || missedFrames > 0 { rest.end() }
        unsafe renderMusic(cycle, ports, &mix, exchange, missedFrames: missedFrames)
        report = sequencer.report(after: cycle)
        exchange.reports.publish(report)
        remember(cycle)
        return sequencer.transport.takeRequest()
    }

    /// Whether there has been nothing to do for a second.
    var isResting: Bool { rest.isReached }

    /// Skips a cycle without messages if the engine rests and nothing new has arrived.
    ///
    /// - Returns: Whether it did; otherwise render the cycle.
    mutating func rest(through cycle: RtCycle, _ exchange: borrowing Exchange) -> Bool {
        guard isResting else { return false }
        exchange.nextFrame.store(cycle.startFrame + Int64(cycle.frameCount), ordering: .sequentiallyConsistent)
        guard missedFrames(before: cycle) == 0, cycle.connectionCount == connectionCount, !exchange.hasNews,
            !exchange.isWatched, rest.isUndisturbed(by: cycle.outside)
        else { return false }
        sequencer.rest(through: cycle)
        exchange.reports.publish(rest.report(after: cycle))
        remember(cycle)
        return true
    }

    private mutating func remember(_ cycle: RtCycle) {
        lastFrame = cycle.startFrame
        nextFrame = cycle.startFrame + Int64(cycle.frameCount)
    }

    /// Applies the control thread's changes, renders the music from step to step, then mixes.
    private mutating func renderMusic(
        _ cycle: RtCycle, _ ports: RtPorts, _ mix: inout Mix, _ exchange: borrowing Exchange, missedFrames: Int
    ) {
        let isBehind = sequencer.skip(missedFrames)
        unsafe beginKeys(ports.midiOut, in: cycle)
        if isBehind { sequencer.catchUp(&output, in: cycle) }
        mixer.begin(&mix, frameCount: cycle.frameCount)
        takeChanges(exchange, &mix, in: cycle)
        var done = 0
        while done < cycle.frameCount {
            output.voices.sender.advance(to: sequencer.frame)
            sequencer.moveTones(&output)
            unsafe sequencer.receive(ports.midiIn, &output, exchange.midi, offset: done, in: cycle)
            sequencer.startDueNotes(&output, offset: done, in: cycle)
            // If no track sounded, the mixer begins anew.
            if let start = sequencer.takeStart(), start.isFresh {
                mixer.beginAnew(output.voices.strips, at: sequencer.frame)
            }
            sequencer.sendClock(offset: done)
            let stretch = unsafe sequencer.stretch(
                from: done, atMost: cycle.frameCount - done, ports.midiIn)
            mixer.follow(
                isKicked: output.voices.takeKick(), stepSeconds: sequencer.stepSeconds,
                isOwn: sequencer.transport.isTempoOwn, &mix, offset: done, count: stretch)
            controllers.follow(sequencer, parameters, &output, count: stretch)
            unsafe mixer.render(&output.voices, sequencer, ports, &mix, offset: done, count: stretch)
            sequencer.advance(stretch)
            done += stretch
        }
        output.voices.sender.finish(before: sequencer.frame)
        unsafe sequencer.finishClock(to: ports.clockOut, in: cycle)
        output.voices.reportKeys(to: exchange.peaks)
        exchange.midi.delayed.add(output.voices.sender.takeDelayedCount())
        sequencer.report(to: exchange.midi)
        mixer.report(mix, output.voices.strips, to: exchange.peaks)
        sounding = mix.sounding
        exchange.samples.letGo(before: output.voices.oldestSamples)
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

    /// Applies the newest score, then the sources of time, then the commands. The commands are counted first, so that a
    /// score published before a command is applied before it.
    private mutating func takeChanges(_ exchange: borrowing Exchange, _ mix: inout Mix, in cycle: RtCycle) {
        let commandCount = exchange.commands.count
        let score = exchange.scores.takeNewest()
        if let score {
            rest.end()
            parameters = score.parameters
            output.voices.apply(parameters)
            sequencer.apply(score, &output)
            output.voices.apply(routes: parameters, silent: sequencer.settings.silent, at: sequencer.frame)
            mixer.move(output.voices.strips, to: parameters, silent: sequencer.settings.silent)
            mix.settings = MasterSettings(parameters)
        }
        if let news = unsafe exchange.timelines.takeNewest() {
            rest.end()
            unsafe sequencer.transport.timeline.apply(news.pointee)
        }
        // After the score, because the samples that a score makes audible were published before it.
        if let newest = exchange.samples.takeNewest() {
            rest.end()
            samples = newest
            output.voices.apply(newest)
        }
        sequencer.begin(cycle, &output)
        sequencer.moveTones(&output)
        for _ in 0..<commandCount {
            guard let sent = exchange.commands.first else { break }
            rest.end()
            perform(sent, in: cycle)
            exchange.commands.removeFirst()
        }
        mix.isLast = sequencer.transport.hasEnded
        output.notices.stamp(exchange.commands.emptiedTotal)
    }

    private mutating func perform(_ sent: SentCommand, in cycle: RtCycle) {
        if case .audition = sent.command, sent.isLate(in: cycle) { return }
        sequencer.perform(sent.command, &output)
    }

    private func clear(_ ports: RtPorts, count: Int) {
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
