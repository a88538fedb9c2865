import Engine
import Gestures
import Grid
import Instrument
import Music
import PatternFormat
import Rendering

@testable import Session

/// Fingers of several clients, commands from programs, the audio driver's comings and goings, and time.
///
/// An input is a series of events of five bytes: the kind, the delay, and three for the details.
struct TouchTarget: FuzzTarget {
    private let engine: Engine
    private let period: UnheardOutput

    init() {
        engine = Engine(score: Score(Document()))
        period = UnheardOutput()
        do {
            try engine.prepare(sampleRate: Double(UnheardOutput.sampleRate))
        } catch {
            fatalError("\(error)")
        }
    }

    func run(_ input: UnsafeRawBufferPointer) {
        period.silence(engine)
        let session = Session(executor: SameThread(), engine: engine, document: Document())
        let events = InputCursor(input)
        session.assumeIsolated { session in
            var cursor = events
            var player = TouchPlayer(session)
            while !cursor.isAtEnd { player.play(&cursor, rendering: period) }
            player.checkEnd()
        }
    }
}

/// Runs an actor's jobs on the calling thread, which is the only one.
private final class SameThread: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
    func checkIsolated() {}
}

/// Plays the events of one input, and checks after each what must hold.
private struct TouchPlayer {
    private let session: Session
    private var now: Duration = .seconds(1)
    private var clients: [ClientID]
    /// What storage would have: a document with all changes of the session applied.
    private var stored = Document()
    private var lastSequence = 0

    init(_ session: isolated Session) {
        self.session = session
        clients = (0..<3).map { _ in session.connect() }
        setAudio(running: true, of: session)
    }

    mutating func play(_ cursor: inout InputCursor, rendering period: UnheardOutput) {
        let (kind, wait) = (cursor.byte(), Int(cursor.byte()))
        let (first, second, third) = (cursor.byte(), cursor.byte(), cursor.byte())
        // From 0 to more than the 3 s after which tapping starts again; short waits have a finer resolution.
        now += .milliseconds(wait * wait / 20)
        session.assumeIsolated { session in
            session.advance(to: now)
            switch kind % 16 {
            case 0...3: touch(.down, first, second, third, in: session)
            case 4...7: touch(.move, first, second, third, in: session)
            case 8...10: touch(.up, first, second, third, in: session)
            case 11: touch(.cancel, first, second, third, in: session)
            case 12, 13: command(first, second, third, in: session)
            case 14: connect(first, second, in: session)
            default:
                if first < 16 {
                    setAudio(running: second % 2 == 0, of: session)
                } else {
                    period.render(Int(first) * 32, at: now, session.link.engine)
                }
            }
            check(session)
        }
    }

    // MARK: Events

    private func touch(_ phase: TouchPhase, _ finger: UInt8, _ x: UInt8, _ y: UInt8, in session: isolated Session) {
        // Reaching a little beyond the grid on all sides.
        let touch = Touch(
            id: Int(finger >> 4), phase: phase, x: Double(x) * (Double(Frame.columns) + 2) / 256 - 1,
            y: Double(y) * (Double(Frame.rows) + 2) / 256 - 1, time: time(of: finger, y))
        do throws(CommandError) {
            let reply = try session.touch(touch, by: clients[Int(finger) % clients.count], at: now)
            require(reply.frame == nil || reply.gesture != nil, "a frame for nothing")
        } catch {
            require(phase == .down, "a \(phase) was refused: \(error)")
        }
    }

    /// The time that the client reports for the touch: none, or up to a second before it arrived.
    private func time(of finger: UInt8, _ lateness: UInt8) -> Duration? {
        finger & 8 == 0 ? nil : now - .milliseconds(4 * Int(lateness))
    }

    private mutating func connect(_ client: UInt8, _ how: UInt8, in session: isolated Session) {
        let index = Int(client) % clients.count
        switch how % 3 {
        case 0:
            session.disconnect(clients[index], at: now)
            clients[index] = session.connect()
        case 1: session.declare(TouchSurface(resolution: .cell), of: clients[index])
        default: session.declare(TouchSurface(cellPixels: Double(how)), of: clients[index])
        }
    }

    private func setAudio(running: Bool, of session: isolated Session) {
        let status =
            running
            ? AudioState(status: .running, rate: UnheardOutput.sampleRate, period: 64)
            : AudioState(status: .lost, reason: "the server died")
        session.audioChanged(to: status, at: now)
    }

    private func command(_ which: UInt8, _ first: UInt8, _ second: UInt8, in session: isolated Session) {
        do throws(CommandError) {
            try session.perform(Command(which, first, second), at: now)
        } catch {
            require("\(error)" != "", "a refusal without a reason")
        }
    }

    // MARK: Rules

    private mutating func check(_ session: isolated Session) {
        let document = session.document
        for change in session.fetchChanges() {
            require(stored.apply(change), "a change that changes nothing: \(change)")
        }
        require(stored == document, "storage has another document")
        Rules.check(document)
        Rules.checkMelody(document.pattern)
        _ = session.fetchEvents()

        let picture = session.pictures(at: now).whole
        require(picture.number >= lastSequence, "the number of the picture went back")
        lastSequence = picture.number
        var (afresh, plain) = (Frame(), Frame())
        var renderer = Renderer()
        _ = renderer.draw(session.scene, at: now, into: &afresh, withoutTooltip: &plain)
        require(picture.value == afresh, "the picture is not what a fresh one would be")

        session.advance(to: now)
        if let wake = session.nextWake { require(wake > now, "no time passes until the next wake-up") }
        require(session.nextRedraw == .zero || session.nextRedraw > now, "the picture changes in the past")
    }

    func checkEnd() {
        Rules.checkHistory(stored)
        Rules.checkExport(stored.pattern)
    }
}

extension Command {
    fileprivate init(_ which: UInt8, _ first: UInt8, _ second: UInt8) {
        let track = Track.allCases[Int(first) % Track.allCases.count]
        switch which % 25 {
        case 0: self = .transport(.play)
        case 1: self = .transport(.stop)
        case 2: self = .transport(.pause)
        case 3: self = .transport(.toggle)
        case 4: self = .transport(.locate(Int(first) % 40))
        case 5: self = .set(.tempo, to: .number(Double(first) + 20))
        case 6: self = .tapTempo
        case 7: self = .set(.scale, to: .choice(Scale.allCases[Int(first) % Scale.allCases.count]))
        case 8: self = .set(.root, to: .choice(PitchClass(Int(first) % 12)))
        case 9: self = .set(.length, to: .number(Double(8 + Int(first) % 25)))
        case 10: self = .set(.swing, to: .number(0.5 + Double(first) / 1024))
        case 11: self = .set(.colors, to: .choice(ColorMode.allCases[Int(first) % ColorMode.allCases.count]))
        case 12: self = .set(.ghosts, to: .toggle(first % 2 == 0))
        case 13:
            self = .change([
                .set(.mute, on: track, to: .toggle(second % 2 == 0)),
                .set(.solo, on: track, to: .toggle(second % 3 == 0)),
                .set(.gain, on: track, to: .number(-Double(second) / 5)),
            ])
        case 14, 15:
            self = .setNote(
                track, step: Int(second) % 32, note: Int(first >> 2) % 12, Note(Velocity(rawValue: second >> 5 & 3)!))
        case 16: self = .change([.clear(Pattern())])
        case 17: self = .change([.undo])
        case 18: self = .change([.redo])
        case 19: self = .look(track, through: second % 6 == 0 ? nil : Lens.allCases[Int(second) % Lens.allCases.count])
        case 20: self = .fill(second % 2 == 0)
        case 21: self = .freeze(track)
        case 22: self = .reset(track, Lens.allCases[Int(second) % Lens.allCases.count])
        case 23:
            let value = NoteValue.allCases[Int(first >> 2) % NoteValue.allCases.count]
            self = .adjustNotes(track, step: Int(second) % 32, [value: Int(first) - 128])
        default: self = .change([.replacePattern(Pattern(named: "\(first)", length: 8 + Int(second) % 25))])
        }
    }
}

extension Pattern {
    /// A pattern with a note here and there.
    fileprivate init(named name: String, length: Int) {
        self.init()
        self.name = name
        self.length = length
        for step in stride(from: 0, to: 32, by: 3) { self[.melody, step % 12, step] = .accent }
        self[.bass, 0, 0] = .normal
        self[.bass, 0, 1] = .sustain
    }
}
