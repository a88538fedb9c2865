import Instrument
import Music

/// Whether the music runs, where it is, and which source decides that: a state machine without side effects.
///
/// Its inputs, each with a frame, are the score's settings, the cycle with the outside position, and commands. Its
/// outputs are the consequences, the step that starts at a frame, and requests to JACK's transport.
struct Transport: ~Copyable {
    private let place = Pinned()

    /// The consequence of a change, with its frame.
    enum Consequence: BitwiseCopyable {
        /// The sound is cut off: the music stops, or jumps.
        case cut
        /// The clock was moved to a step that it has not started.
        case moved(PlayState, step: Int)
    }

    var settings: TransportSettings
    var state = TransportState.own(.stopped)
    var clock: StepClock
    /// Consequences that have not been read yet.
    var isCut = false
    var hasMoved = false

    var jack: JackSource
    var midi: MidiSource
    var timeline = TimelineSource()
    var sender = ClockSender()
    /// Frames from one correction to the next.
    var correctionFrames = 256.0
    var outside = OutsidePosition()
    /// The driving source's position at the current cycle's first frame, if it is not our own clock.
    var course = Course(isRunning: false, position: 0, bpm: 120)
    /// When another source takes over in this cycle, and its position there.
    var takeover: Takeover?
    /// Whether the music was stopped, by us or by its source, and nothing has started since; see ``staysStopped``.
    var wasHalted = false
    var losses = Losses()
    /// How far the music was from the source, in steps.
    var lastLead = 0.0
    /// The tempo that we published to JACK's transport, while the timebase is ours.
    var publishedBpm = 0.0
    /// The request to JACK's transport, until it is read.
    var request = OutsideRequest()

    /// A transport that is stopped at step 0.
    init(_ settings: TransportSettings) {
        self.settings = settings
        clock = StepClock(settings.timing(bpm: settings.bpm))
        jack = JackSource(sampleRate: settings.sampleRate)
        midi = MidiSource(sampleRate: settings.sampleRate)
    }

    var isPlaying: Bool { state.isPlaying }

    /// Whether steps follow each other now.
    var runs: Bool { state.isPlaying && !state.isWaiting }

    /// Our own tempo, whether it drives or not.
    var ownBpm: Double { losses.tempo(at: settings.tempoRevision) ?? settings.bpm }

    /// The tempo that plays, without corrections.
    var bpm: Double { isAlone ? ownBpm : course.bpm }

    /// Whether ``bpm`` is ours, even if it comes by way of JACK's transport.
    var isTempoOwn: Bool {
        if state.source == .jack, outside.isOurs { return true }
        return isAlone
    }

    /// Whether the music has stopped for good.
    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// Whether no other clock is currently followed.
    var isAlone: Bool {
        switch state {
        case .own, .ignoringTicks(.playing), .ended: true
        default: false
        }
    }

    // MARK: Time

    /// The loop of the whole pattern.
    var loop: Loop { clock.timing.grid.loop }

    /// The whole pattern's step in progress, or the one to start from.
    var step: Int { loop.step(at: clock.songStep) }

    /// Moves to a step of the song; the loop is counted from the song's start, or from `origin`.
    mutating func move(to songStep: Int64, loopFrom origin: Int64 = 0) {
        clock.timing.grid.loop.origin = origin
        clock.move(to: songStep)
    }

    /// The song's step that starts at a frame; nil when no more do.
    mutating func nextStep(at frame: Int64) -> Int64? {
        guard runs && nextStepFrame <= frame else { return nil }
        clock.advance()
        return clock.songStep
    }

    /// The frame on which the next step starts. While a MIDI tick is late, steps beyond it wait for a while: if the
    /// tempo has dropped they would be far too early.
    private var nextStepFrame: Int64 {
        guard case .midi = state, midi.isRunning else { return clock.nextFrame }
        var foreseeable = course
        foreseeable.position = midi.foreseeable
        if clock.nextPosition <= heard(foreseeable).position { return clock.nextFrame }
        return max(clock.nextFrame, midi.endOfPatience)
    }

    /// The next consequence, in order; nil when there are no more.
    mutating func nextConsequence() -> Consequence? {
        if isCut {
            isCut = false
            return .cut
        }
        if hasMoved {
            hasMoved = false
            return .moved(state.playState, step: step)
        }
        return nil
    }

    /// The number of frames without events from `frame` on, at most `count`.
    func quietFrames(from frame: Int64, atMost count: Int) -> Int {
        var next = min(runs ? nextStepFrame : .max, sender.nextFrame(clock))
        if let takeover { next = min(next, takeover.frame) }
        return Int(max(0, min(Int64(count), next - frame)))
    }

    /// Sends the clock messages that are due at a frame.
    mutating func sendClock(at frame: Int64, offset: Int, to port: MidiBuffer) {
        unsafe sender.send(clock, runs: runs, at: frame, offset: Int32(truncatingIfNeeded: offset), to: port)
    }

    /// The request to JACK's transport since the last call.
    mutating func fetchRequest() -> OutsideRequest {
        let request = request
        self.request = OutsideRequest()
        if let bar = request.bar { jack.remember(bar) }
        return request
    }

    // MARK: Settings

    /// Applies new settings from a frame on. If the clock's settings are the same, it keeps its anchor.
    mutating func apply(_ new: TransportSettings, at frame: Int64) {
        if new.sampleRate != settings.sampleRate {
            jack = JackSource(sampleRate: new.sampleRate)
            midi = MidiSource(sampleRate: new.sampleRate)
        }
        // Turning `auto` or `lead: [jack]` on joins what runs.
        let isNewlyAutomatic = new.sync.source == .automatic && settings.sync.source != .automatic
        if isNewlyAutomatic || new.sync.leadsJack && !settings.sync.leadsJack { wasHalted = false }
        sender.turn(on: new.sync.leadsMidi, delay: floor(new.sync.offsetOut * new.sampleRate + 0.5), at: frame)
        settings = new
        let before = step
        retime(bpm: bpm, at: frame)
        if step != before { hasMoved = true }
    }

    /// Applies the settings to the clock, at a tempo. If the loop's length changes, the current step continues while we
    /// play alone; with a source the loop is counted from the song's start, as the source's is.
    mutating func retime(bpm: Double, at frame: Int64) {
        var timing = settings.timing(bpm: bpm, loopFrom: loop.origin)
        if timing.hasSteps(of: clock.timing) { return }
        if isAlone {
            timing.grid.loop = loop.resized(to: settings.length, at: clock.songStep)
        } else {
            timing.grid.loop.origin = 0
        }
        if runs {
            clock.retime(timing, at: frame)
        } else {
            clock.timing = timing
        }
    }
}

/// How many sources were lost, and the tempo that continues after the last of them.
struct Losses: BitwiseCopyable {
    private(set) var count: UInt32 = 0
    /// 20 to 300 with two decimals, as in a document.
    private(set) var bpm = 120.0
    /// ``Score/tempoRevision`` when the source was lost; the next one ends the tempo.
    private(set) var tempoRevision = 0

    /// Adds the loss of a source that played at this tempo.
    mutating func add(bpm: Double, at tempoRevision: Int) {
        var bpm = bpm
        while bpm > 300 { bpm /= 2 }
        while bpm < 20 { bpm *= 2 }
        self.bpm = Double(floor(bpm * 100 + 0.5)) / 100
        self.tempoRevision = tempoRevision
        count &+= 1
    }

    /// The tempo that continues; nil when another was set since.
    func tempo(at tempoRevision: Int) -> Double? {
        count > 0 && tempoRevision <= self.tempoRevision ? bpm : nil
    }
}

/// A takeover by another source in the middle of a cycle.
struct Takeover: BitwiseCopyable {
    var frame: Int64
    var source: SyncSource
    var course: Course
}

// MARK: Control memory

extension Transport {
    /// What is remembered while everything is silent: all of it.
    struct Memory: BitwiseCopyable {
        var settings: TransportSettings
        var state: TransportState
        var clock: StepClock
        var isCut: Bool
        var hasMoved: Bool
        var jack: JackSource
        var midi: MidiSource
        var timeline: TimelineSource
        var sender: ClockSender
        var correctionFrames: Double
        var outside: OutsidePosition
        var course: Course
        var takeover: Takeover?
        var wasHalted: Bool
        var losses: Losses
        var lastLead: Double
        var publishedBpm: Double
        var request: OutsideRequest
    }

    var memory: Memory {
        Memory(
            settings: settings, state: state, clock: clock, isCut: isCut, hasMoved: hasMoved, jack: jack, midi: midi,
            timeline: timeline, sender: sender, correctionFrames: correctionFrames, outside: outside, course: course,
            takeover: takeover, wasHalted: wasHalted, losses: losses, lastLead: lastLead, publishedBpm: publishedBpm,
            request: request)
    }

    mutating func restore(_ memory: Memory) {
        (settings, state, clock) = (memory.settings, memory.state, memory.clock)
        (isCut, hasMoved) = (memory.isCut, memory.hasMoved)
        (jack, midi, timeline, sender) = (memory.jack, memory.midi, memory.timeline, memory.sender)
        (correctionFrames, outside, course) = (memory.correctionFrames, memory.outside, memory.course)
        (takeover, wasHalted, losses) = (memory.takeover, memory.wasHalted, memory.losses)
        (lastLead, publishedBpm, request) = (memory.lastLead, memory.publishedBpm, memory.request)
    }
}
