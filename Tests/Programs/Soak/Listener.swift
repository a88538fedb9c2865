import Instrument
import JackTestSupport
import Music
import Synchronization
import Wire

/// Listens to the daemon's MIDI outputs, and to what it publishes of its steps.
///
/// What was heard is judged some seconds later, when the machine's state at that time is known.
final class Listener: Sendable {
    /// How much later, in µs.
    private static let delay: UInt64 = 3_000_000

    /// The results.
    struct Findings {
        var steps = StepOrder()
        var keys = KeyWatch()
        var clock = ClockCount()
        /// How often a source of time was chosen.
        var followed: [SyncSource: Int] = [:]
    }

    fileprivate struct Heard {
        var findings = Findings()
        var following: SyncSource?
        var lastStep: StepEvent?
        /// Until when tracks of another speed may have moved on while the pattern as a whole stayed on its step.
        var lastSpeed: UInt64 = 0
        /// When periods were late or JACK was away.
        var gaps = Disturbances()
        /// When a source of time was relocated.
        var jumps = Disturbances()
        /// When the music was asked to stop.
        var halts = Disturbances()
        var notes: [JackMidiPeer.Message] = []
        /// When keys had to go up, in order of time; nil for all.
        var ends: [(usecs: UInt64, keys: Set<HeardKeys.Key>?)] = []
    }

    private let heard = Mutex(Heard())

    // MARK: What the daemon publishes

    func add(_ step: StepEvent) {
        heard.withLock { heard in
            defer { heard.lastStep = step }
            if step.step == heard.lastStep?.step, step.usecs <= heard.lastSpeed { return }
            heard.findings.steps.add(step)
            heard.findings.clock.add(step)
        }
    }

    func add(_ state: InstrumentState) {
        heard.withLock {
            $0.findings.steps.add(state)
            $0.findings.clock.add(state)
            if state.slots.contains(where: { $0.slots.values.contains { $0.speed != nil } }) {
                $0.lastSpeed = .max
            } else if $0.lastSpeed == .max {
                $0.lastSpeed = ClosedRange.now().lowerBound + Self.delay
            }
            if $0.following != state.sync.following { $0.findings.followed[state.sync.following, default: 0] += 1 }
            $0.following = state.sync.following
        }
    }

    // MARK: What others report

    /// Records that what was heard within a time proves nothing: periods were late, or JACK was away.
    func noteGap(_ time: ClosedRange<UInt64>) { heard.withLock { $0.gaps.add(time) } }

    /// Records that a source of time is being relocated, which takes some time. Messages in the current period count
    /// from its beginning.
    func noteJump() { heard.withLock { $0.jumps.add(.now(since: 0.1, until: 3)) } }

    /// Records that the music is asked to stop, which takes some time.
    func noteHalt() { heard.withLock { $0.halts.add(.now(since: 0.1, until: 1)) } }

    /// Records that the music was stopped, and the pedals lifted.
    func noteStop() { heard.withLock { $0.ends.append((ClosedRange.now().lowerBound, nil)) } }

    /// Records that a client vanishes that may hold some keys.
    func noteVanishing(of keys: Set<HeardKeys.Key>) {
        heard.withLock { $0.ends.append((ClosedRange.now().lowerBound, keys)) }
    }

    // MARK: What is heard

    /// Takes what came to the MIDI outputs since the last call, and judges what is old enough for that.
    func hear(notes: [JackMidiPeer.Message], clock: [JackMidiPeer.Message]) {
        heard.withLock { heard in
            heard.notes += notes
            for message in clock where message.bytes == [0xf8] { heard.findings.clock.hearTick(at: message.usecs) }
            heard.judge(to: ClosedRange.now().lowerBound - Self.delay)
        }
    }

    /// Judges everything that is left.
    func end() -> Findings {
        heard.withLock { heard in
            heard.judge(to: ClosedRange.now().lowerBound)
            heard.findings.steps.excuse(during: heard.jumps, stops: heard.halts, whileFollowing: heard.gaps)
            return heard.findings
        }
    }
}

extension Listener.Heard {
    fileprivate mutating func judge(to time: UInt64) {
        let count = notes.prefix { $0.usecs <= time }.count
        for note in notes.prefix(count) {
            judgeEnds(to: note.usecs)
            findings.keys.hear(note.bytes, at: note.usecs, gaps)
        }
        notes.removeFirst(count)
        judgeEnds(to: time)
        findings.keys.goOn(to: time, gaps)
        findings.clock.goOn(to: time, gaps.merging(jumps).merging(halts))
    }

    private mutating func judgeEnds(to time: UInt64) {
        while let end = ends.first, end.usecs <= time {
            if let keys = end.keys {
                findings.keys.noteVanishing(of: keys, at: end.usecs, gaps)
            } else {
                findings.keys.noteStop(at: end.usecs, gaps)
            }
            ends.removeFirst()
        }
    }
}
