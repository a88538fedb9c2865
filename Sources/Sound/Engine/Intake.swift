import Instrument

/// Everything that one cycle is given: a plain value, valid for the cycle.
///
/// The engine's step reads nothing else but the score with this number, and no clock. The only atomics that it reads tell
/// whether there is room for notices, which changes no sound. The same intakes give the same sound, whoever makes them.
@safe
struct Intake: BitwiseCopyable {
    /// The cycle's length, times and outside transport.
    let cycle: RtCycle
    /// The number of the score that counts from now on.
    let score: UInt
    /// The timeline that counts from now on, and its number.
    let timeline: TimelineNews
    let timelineNumber: UInt
    /// The kit of samples that counts from now on, numbered by its generation.
    let samples: SampleReference
    /// The punch-ins as they are held from now on, and the number of these values.
    let punchIns: PunchIns
    let punchInsNumber: UInt
    /// The commands to obey, the oldest first.
    let commands: RingPart<SentCommand>
    /// The keys of programs to press and release, the oldest first.
    let keys: RingPart<SentKey>
    /// How many commands have been obeyed then, since the start; wraps around.
    let obeyedCommands: UInt
    /// The messages of the port `midi_in`.
    let midi: MidiBuffer

    /// Takes what the control thread has published and sent. Commands and presses that are too
    /// late are dropped.
    init(_ cycle: RtCycle, midi: MidiBuffer, _ exchange: borrowing Exchange) {
        self.cycle = cycle
        unsafe self.midi = midi
        // Commands first: a score that was published before a command counts before it.
        let count = exchange.commands.drop(among: exchange.commands.count) { $0.isTooLate(in: cycle) }
        _ = exchange.scores.fetchNewest()
        score = exchange.scores.number
        _ = unsafe exchange.timelines.fetchNewest()
        timeline = unsafe exchange.timelines.current.pointee
        timelineNumber = exchange.timelines.number
        // After the score, because the samples that a score makes audible were published before it.
        samples = exchange.samples.newest
        _ = unsafe exchange.punchIns.fetchNewest()
        punchIns = unsafe exchange.punchIns.current.pointee
        punchInsNumber = exchange.punchIns.number
        commands = exchange.commands.oldest(count)
        keys = exchange.keys.oldest(exchange.keys.drop(among: exchange.keys.count) { $0.isTooLate(in: cycle) })
        obeyedCommands = exchange.commands.emptiedTotal &+ UInt(count)
    }
}

extension Synth {
    /// Makes the step of a cycle from what the control thread has published and sent.
    ///
    /// - Returns: The request to JACK's transport.
    mutating func render(
        _ cycle: RtCycle, _ ports: RtPorts, _ mix: inout Mix, _ exchange: borrowing Exchange
    ) -> OutsideRequest {
        let intake = unsafe begin(cycle, ports, exchange)
        let request = unsafe step(intake, exchange.scores.current, ports, &mix, exchange.sinks)
        letGo(of: intake, exchange)
        return request
    }

    /// Begins a cycle: clears the outputs, and takes what came.
    func begin(_ cycle: RtCycle, _ ports: RtPorts, _ exchange: borrowing Exchange) -> Intake {
        unsafe clear(ports, count: cycle.frameCount)
        exchange.begin(cycle)
        return unsafe Intake(cycle, midi: ports.midiIn, exchange)
    }

    /// Ends a cycle: what came is no longer needed.
    func letGo(of intake: Intake, _ exchange: borrowing Exchange) {
        exchange.commands.removeFirst(intake.commands.count)
        exchange.keys.removeFirst(intake.keys.count)
        exchange.samples.letGo(before: oldestSamples)
    }
}
