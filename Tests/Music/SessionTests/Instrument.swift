import Engine
import Gestures
import Grid
import Instrument
import Music
import OfflineAudio
import Session
import Synchronization

/// Runs an actor's jobs at once on the calling thread, so that tests need no other thread.
final class CallersExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedSerialExecutor())
    }
}

extension Session {
    /// The current picture, including the tooltip.
    func frame(at now: Duration) -> Numbered<Frame> { pictures(at: now).whole }
}

/// A session with an engine that renders on request, and a clock that the test sets.
final class Instrument: Sendable {
    let session: Session
    let engine: Engine
    let finger: ClientID
    private let midi = Mutex<[(frame: Int64, event: MidiEvent)]>([])
    static let rate = 48000.0

    init(document: Document = Document(), audition: AuditionMode = .whenNotPlaying) async {
        engine = Engine(score: Score(document))
        session = Session(
            executor: CallersExecutor(), engine: engine, document: document, audition: audition)
        finger = await session.connect()
        await session.setWatched(true)
    }

    /// A driver appears.
    func startAudio(at now: Duration = .zero) async {
        prepare()
        await session.audioChanged(
            to: AudioState(status: .running, rate: 48000, period: 480), at: now)
    }

    /// Makes the engine ready for a driver.
    func prepare() {
        do {
            try engine.prepare(sampleRate: Self.rate)
        } catch {
            fatalError("\(error)")
        }
    }

    /// A driver disappears.
    func loseAudio(at now: Duration = .zero) async {
        await session.audioChanged(to: AudioState(status: .lost, reason: "the server died"), at: now)
    }

    /// Renders periods of 10 ms from one moment to another, letting the session listen after each by default.
    func play(from start: Duration, to end: Duration, listening: Bool = true, with transport: PretendedTransport? = nil)
        async
    {
        let period = 480
        let buffers = PeriodBuffers()
        var now = start
        while now < end {
            let frame = Int64((now / .seconds(1)) * Self.rate + 0.5)
            fill(buffers.midi(of: .midiIn), from: frame, count: period)
            let request = engine.render(
                RtCycle(
                    frameCount: period, startFrame: frame, startUsecs: UInt64(now / .microseconds(1)),
                    usecsPerFrame: 1e6 / Self.rate, nowUsecs: UInt64(now / .microseconds(1)),
                    outside: transport?.next(period) ?? OutsidePosition()),
                buffers.ports)
            transport?.accept(start: request.start, stop: request.stop, frame: request.frame)
            buffers.midi(of: .midiIn).clear()
            now += .milliseconds(10)
            if listening { await session.advance(to: now) }
        }
    }

    /// Lets a message arrive at a moment that is still to be rendered.
    func receive(_ event: MidiEvent, at moment: Duration) {
        let frame = Int64((moment / .seconds(1)) * Self.rate + 0.5)
        midi.withLock { $0.append((frame, event)) }
    }

    private func fill(_ buffer: MidiBuffer, from frame: Int64, count: Int) {
        let due = midi.withLock { $0.filter { (frame..<frame + Int64(count)).contains($0.frame) } }
        for (place, event) in due.sorted(by: { $0.frame < $1.frame }) {
            var event = event
            event.frame = Int32(place - frame)
            buffer.append(event)
        }
    }

    /// A tap in the middle of a cell.
    @discardableResult
    func tap(_ column: Int, _ row: Int, at now: Duration = .zero) async throws -> TouchOutcome {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        _ = try await session.touch(Touch(id: 1, phase: .down, x: x, y: y), by: finger, at: now)
        return try await session.touch(
            Touch(id: 1, phase: .up, x: x, y: y), by: finger, at: now + .milliseconds(50))
    }
}

/// JACK's transport as one of its clients sees it.
final class PretendedTransport {
    var frame: Int64 = 0
    var isRolling = false
    /// The tempo of a timebase master, nil for none.
    var bpm: Double?
    var isOurs = false
    /// Whether it carries out the engine's requests; it rolls one period later.
    var isObedient = false
    private var isStarting = false

    /// Carries out the engine's requests from the next period on.
    fileprivate func accept(start: Bool, stop: Bool, frame: Int64?) {
        guard isObedient else { return }
        if isStarting { (isStarting, isRolling) = (false, true) }
        if stop { (isStarting, isRolling) = (false, false) }
        if let frame { self.frame = frame }
        if start, !isRolling { isStarting = true }
    }

    /// The transport at the start of the next period.
    fileprivate func next(_ frameCount: Int) -> OutsidePosition {
        let beats = Double(frame) / Instrument.rate * (bpm ?? 0) / 60
        let bar = bpm.map {
            BarPosition(
                bar: Int32(beats / 4) + 1, beat: Int32(Int(beats) % 4) + 1,
                tick: (beats - beats.rounded(.down)) * 1920, isExact: true, bpm: $0)
        }
        let position = OutsidePosition(isRolling: isRolling, frame: frame, bar: bar, isOurs: isOurs)
        if isRolling { frame += Int64(frameCount) }
        return position
    }
}
