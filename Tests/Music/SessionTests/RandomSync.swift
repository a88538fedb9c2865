import Engine
import Grid
import Instrument
import Music
import Session
import TestSupport

/// Random actions of players, other programs, clocks and the server.
struct RandomSync {
    private static let period = Duration.milliseconds(10)

    let instrument: Instrument
    private let holder: ClientID
    private var transport = PretendedTransport()
    private var random: SeededGenerator
    private(set) var now = Duration.zero
    /// The tempo of the MIDI clock, nil while it is off, and when its next tick comes.
    private var clock: Double?
    private var nextTick = Duration.zero

    init(_ instrument: Instrument, seed: UInt64) async {
        self.instrument = instrument
        holder = await instrument.session.connect()
        await instrument.session.setRequestListeners([holder])
        random = SeededGenerator(seed: seed)
        transport.isObedient = true
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func flip() -> Bool { Bool.random(using: &random) }

    private mutating func tempo() -> Double { .random(in: 60...300, using: &random) }

    // MARK: Time

    /// Lets time pass, a few periods of it.
    mutating func proceed() async { await proceed(periods: 1 + pick(40)) }

    mutating func proceed(for time: Duration) async {
        await proceed(periods: Int((time / Self.period).rounded(.up)))
    }

    private mutating func proceed(periods: Int) async {
        for _ in 0..<periods {
            // The daemon takes over the timebase, and releases it, some time after it was asked to.
            let leads = await instrument.session.wantsTimebase && transport.bpm == nil
            if pick(3) == 0 { transport.isOurs = leads }
            tick()
            let end = now + Self.period
            await instrument.play(from: now, to: end, listening: pick(3) > 0, with: transport)
            now = end
        }
    }

    private mutating func tick() {
        guard let clock else { return }
        nextTick = max(nextTick, now)
        while nextTick < now + Self.period {
            instrument.receive(MidiEvent(frame: 0, 0xf8), at: nextTick)
            nextTick += .seconds(2.5 / clock)
        }
    }

    // MARK: What is done

    /// Performs one action.
    mutating func act() async {
        switch pick(14) {
        case 0...2: await set()
        case 3...6: await play()
        case 7, 8: await tell()
        case 9, 10: sendToClock()
        case 11, 12: await moveTransport()
        default: await loseServer()
        }
    }

    private mutating func perform(_ command: Command) async {
        // Refusals are fine: of a tempo that follows, of a position that is not ours.
        try? await instrument.session.perform(command, at: now)
    }

    private mutating func set() async {
        switch pick(8) {
        case 0: await perform(.set(.syncQuantum, to: .number(Double(1 + pick(8)))))
        case 1: await perform(.set(.syncStartStop, to: .toggle(flip())))
        case 2: await perform(.set(.syncOffsetIn, to: .number(Double(pick(401) - 200))))
        case 3: await perform(.set(.tempo, to: .number(tempo())))
        case 4: await perform(.set(.length, to: .number(Double(8 + pick(25)))))
        default:
            let lead = SyncLead.allCases.filter { _ in pick(3) == 0 }.map(\.name)
            await perform(
                .change([
                    .set(.syncSource, to: .choice(SyncSource.allCases[pick(SyncSource.allCases.count)])),
                    .set(.syncLead, to: .selection(lead)),
                ]))
        }
    }

    private mutating func play() async {
        switch pick(8) {
        case 0...3: await perform(.transport(.play))
        case 4: await perform(.transport(.stop))
        case 5: await perform(.transport(.pause))
        case 6: await perform(.transport(.toggle))
        default: await perform(.transport(.locate(pick(8))))
        }
    }

    private mutating func tell() async {
        guard pick(4) > 0 else {
            try? await instrument.session.releaseTimeline(of: holder, at: now)
            return
        }
        let usecs = Int64(now / .microseconds(1))
        let timeline = Timeline(
            beat: .random(in: -20...20, using: &random), usecs: usecs, bpm: .random(in: 10...1000, using: &random),
            isPlaying: [true, false, nil][pick(3)],
            playingUsecs: flip() ? nil : usecs + .random(in: -500_000...500_000, using: &random),
            quantum: flip() ? nil : Double(1 + pick(8)))
        try? await instrument.session.hold(timeline, by: holder, named: "random", at: now)
    }

    private mutating func sendToClock() {
        switch pick(5) {
        case 0: clock = nil
        case 1: clock = tempo()
        default: instrument.receive(MidiEvent(frame: 0, [0xfa, 0xfb, 0xfc][pick(3)]), at: now)
        }
    }

    /// Somebody else controls JACK's transport.
    private mutating func moveTransport() async {
        switch pick(4) {
        case 0: transport.isRolling.toggle()
        case 1: transport.frame = .random(in: 0...4_000_000, using: &random)
        case 2: transport.bpm = nil
        default:
            transport.bpm = tempo()
            transport.isOurs = false
        }
    }

    /// The server is lost and comes back some time later, with a stopped transport; meanwhile players may send
    /// requests.
    private mutating func loseServer() async {
        await instrument.loseAudio(at: now)
        if flip() { await play() }
        now += Self.period * pick(100)
        transport = PretendedTransport()
        transport.isObedient = true
        instrument.prepare()
        // Periods are rendered before the daemon learns that there is a server.
        await proceed(periods: pick(4))
        await instrument.startAudio(at: now)
    }

    /// Plays without following or leading anybody; returns the duration of a bar.
    mutating func playAlone() async -> Duration {
        await perform(
            .change([
                .set(.syncSource, to: .choice(SyncSource.own)), .set(.syncLead, to: .selection([])),
                .set(.swing, to: 0.5),
            ]))
        if flip() { await proceed(periods: pick(4)) }
        await perform(.transport(.play))
        return .seconds(240 / (await instrument.session.document.pattern.bpm))
    }
}
