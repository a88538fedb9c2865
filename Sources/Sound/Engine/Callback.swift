/// The process callback: fills intakes from the exchange, lets the synth make its steps, and the master finish them.
@safe
struct Callback: ~Copyable {
    let exchange: Exchange
    var synth: Synth
    private var mix = Mix()
    private var recorder = TakeRecorder()
    /// In memory of its own, because another thread may use it: see ``Engine/finish(_:_:)``.
    let master: UnsafeMutablePointer<Master>

    init(score: Score, takeCapacity: Int) {
        exchange = Exchange(score: score, takeCapacity: takeCapacity)
        synth = Synth(exchange.scores.current, exchange.sinks.notices)
        unsafe master = .allocate(capacity: 1)
        unsafe master.initialize(to: synth.makeMaster())
    }

    deinit {
        unsafe master.deinitialize(count: 1)
        unsafe master.deallocate()
    }

    /// Renders one cycle.
    ///
    /// - Returns: The request to JACK's transport.
    mutating func render(_ cycle: RtCycle, _ ports: RtPorts) -> OutsideRequest {
        if unsafe !ports.midiIn.hasMessages, rest(through: cycle) {
            unsafe synth.clear(ports, count: cycle.frameCount)
            return OutsideRequest()
        }
        watchTakes()
        let intake = unsafe synth.begin(cycle, ports, exchange)
        let (before, startCount) = (synth.numbers, synth.output.voices.startCount)
        let request = unsafe synth.step(intake, exchange.scores.current, ports, &mix, exchange.sinks)
        record(intake, before, hasStarted: synth.output.voices.startCount != startCount)
        synth.letGo(of: intake, exchange)
        unsafe master.pointee.finish(&mix, ports)
        let isIdle = unsafe master.pointee.isSilent && !exchange.sinks.isWatched && request.isEmpty
        unsafe synth.finish(cycle, ports, isIdle: isIdle, exchange.sinks)
        return request
    }

    /// Forgets all sound.
    mutating func resetSound() {
        synth.resetSound()
        unsafe master.pointee.reset()
    }

    /// Skips a cycle without messages if the engine rests and nothing new has arrived.
    ///
    /// - Returns: Whether it did.
    mutating func rest(through cycle: RtCycle) -> Bool {
        guard synth.isResting else { return false }
        exchange.begin(cycle)
        guard !exchange.hasNews, !exchange.sinks.isWatched else { return false }
        guard synth.rest(through: cycle, exchange.sinks) else { return false }
        if recorder.isRecording {
            if exchange.takes.isWanted {
                recorder.rest(isStill: true, isSilent: true, exchange.takes)
            } else {
                recorder.end(exchange.takes)
            }
            recorder.record(resting: cycle, exchange.takes)
        }
        return true
    }

    /// Drops all sound, for a sample rate.
    mutating func prepare(sampleRate: Double) {
        if recorder.isRecording { hearLastCycle() }
        synth.prepare(sampleRate: sampleRate)
        unsafe master.pointee = synth.makeMaster()
        recorder.prepare(sampleRate: sampleRate, exchange.takes)
    }

    /// The same, but the punch-ins that are held act on.
    mutating func convert(to sampleRate: Double) {
        synth.convert(to: sampleRate)
        unsafe master.pointee = synth.makeMaster()
        recorder.prepare(sampleRate: sampleRate, exchange.takes)
    }

    /// Bar and beat at a frame of JACK's transport.
    mutating func publishBar(at frame: Int64) -> BarPosition {
        recorder.publishBar(at: frame)
        return synth.publishBar(at: frame)
    }
}

// MARK: Takes

extension Callback {
    /// Before a cycle: ends a take that is over, and between takes copies the control memory.
    private mutating func watchTakes() {
        guard exchange.takes.isWanted else { return recorder.end(exchange.takes) }
        if recorder.isRecording {
            let runs = synth.sequencer.transport.runs
            hearLastCycle()
            let isSilent = !runs || recorder.isOverdue(exchange.takes) ? self.isSilent : false
            recorder.rest(isStill: !runs && isSilent, isSilent: isSilent, exchange.takes)
        }
        guard !recorder.isRecording, isSilent else { return }
        unsafe copyControlMemory(into: &recorder.slot.pointee)
        recorder.arm(synth.numbers, punchInsNumber: synth.punchInsNumber)
    }

    /// After the last cycle: ends the take.
    mutating func endTake() {
        hearLastCycle()
        recorder.end(exchange.takes)
    }

    private mutating func hearLastCycle() {
        if unsafe !synth.isQuiet || !master.pointee.isSilent { recorder.hear() }
    }

    /// After a step: records the cycle if it belongs to a take.
    private mutating func record(_ intake: Intake, _ before: TakeNumbers, hasStarted: Bool) {
        if recorder.isRecording || recorder.isArmed {
            let runs = synth.sequencer.transport.runs
            let begins = recorder.isArmed && (hasStarted || runs || !synth.isSilent)
            recorder.record(intake, begins: begins, runs: runs, exchange.takes)
        }
        let numbers = synth.numbers
        if !numbers.isSame(as: before) { exchange.takes.report(numbers) }
    }
}
