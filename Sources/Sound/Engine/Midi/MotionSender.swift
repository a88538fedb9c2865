import Music

/// Sends moving parameters to the MIDI output, as controllers on the channels of tracks whose notes are sent.
///
/// A controller is sent when it changes, at frames that do not depend on the period and are at least 10 ms apart. When
/// the motion ends, it gets the mixer's value, as soon as the track's notes are sent.
struct MotionSender: ~Copyable {
    /// One parameter of a track.
    struct Line: BitwiseCopyable {
        /// The value that was last sent; negative for none.
        var sent: Int16 = -1
        /// The channel that it was sent on.
        var channel: UInt8 = 0
        /// The frame from which another may be sent.
        var dueAt = Int64.min
        /// Whether a motion determines the value.
        var isRuled = false
        /// Whether that has just begun or ended, so the value must be sent.
        var isNew = false
    }

    private let lines = FixedArray(count: trackCount * MotionSender.count) { _ in Line() }
    /// The tracks whose controllers are sent or must be.
    private var active = TrackSet()
    /// The tracks whose controllers were, but whose notes are not sent now: they wait until those are.
    private var suspended = TrackSet()
    /// The least number of frames from one change to the next.
    private var interval: Int64

    init(sampleRate: Double) { interval = MotionSender.interval(at: sampleRate) }

    private static func interval(at sampleRate: Double) -> Int64 { ceiling(sampleRate / 100) }

    /// Sends all values again, after a change of the sample rate.
    mutating func prepare(sampleRate: Double) {
        interval = MotionSender.interval(at: sampleRate)
        forget()
        for track in 0..<trackCount { suspend(track) }
    }

    /// Whether nothing moves.
    var isIdle: Bool { active.isEmpty }

    /// The parameters that are sent.
    private static var count: Int { 3 }

    private static func parameter(_ index: Int) -> Parameter { index == 0 ? .gain : index == 1 ? .pan : .tone }

    /// Sends all values again, to new receivers.
    mutating func forget() {
        for index in 0..<trackCount * MotionSender.count { lines[index].sent = -1 }
    }

    /// Sends the moving parameters through a part of the period.
    mutating func follow(
        _ sequencer: borrowing Sequencer, _ parameters: LiveParameters, _ output: inout EngineOutput,
        count: Int
    ) {
        let first = sequencer.frame
        if settle(sequencer, output) { send(sequencer, parameters, &output, onlyNew: true, at: first) }
        guard !active.isEmpty else { return }
        var frame = (first + interval - 1) / interval * interval
        while frame < first + Int64(count) {
            send(sequencer, parameters, &output, onlyNew: false, at: frame)
            frame += interval
        }
    }

    /// Updates which parameters move now.
    ///
    /// - Returns: Whether this has changed.
    private mutating func settle(_ sequencer: borrowing Sequencer, _ output: borrowing EngineOutput) -> Bool {
        var isChanged = false
        for track in 0..<trackCount {
            let route = output.voices.routes[track]
            guard route.sendsKeys else {
                suspend(track)
                continue
            }
            let motion = sequencer.motion(of: track)
            let isResumed = suspended.contains(track)
            if motion == nil && !active.contains(track) && !isResumed { continue }
            active.remove(track)
            suspended.remove(track)
            for index in 0..<MotionSender.count {
                let place = track * MotionSender.count + index
                var line = lines[place]
                if line.channel != route.channel { line = Line(channel: route.channel, dueAt: line.dueAt) }
                let isRuled = motion?.moves(MotionSender.parameter(index)) == true
                if isRuled != line.isRuled || isRuled && isResumed {
                    (line.isRuled, line.isNew, isChanged) = (isRuled, true, true)
                }
                if isRuled || line.isNew { active.insert(track) }
                lines[place] = line
            }
        }
        return isChanged
    }

    private mutating func suspend(_ track: Int) {
        guard active.contains(track) else { return }
        active.remove(track)
        suspended.insert(track)
    }

    /// - Parameter onlyNew: Whether to send only parameters whose motion has just begun or ended.
    private mutating func send(
        _ sequencer: borrowing Sequencer, _ parameters: LiveParameters, _ output: inout EngineOutput,
        onlyNew: Bool, at frame: Int64
    ) {
        for place in 0..<trackCount * MotionSender.count {
            var line = lines[place]
            let (track, parameter) = (place / MotionSender.count, MotionSender.parameter(place % MotionSender.count))
            guard active.contains(track), line.isNew || line.isRuled && !onlyNew, line.dueAt <= frame else { continue }
            let moved = line.isRuled ? sequencer.motion(of: track) : nil
            let count = sequencer.count(of: track, at: frame - output.voices.sender.delay)
            let value = moved?.value(parameter, at: count) ?? parameters.of(track)[parameter]
            let position = parameter.controllerPosition(of: value, root: Double(linearFactor(decibels: value / 2)))
            line.isNew = false
            if line.sent != Int16(position), let controller = parameter.sentController {
                (line.sent, line.dueAt) = (Int16(position), frame + interval)
                output.voices.sender.advance(to: frame)
                output.voices.sender.pass(
                    MidiEvent(frame: 0, count: 3, 0xb0 | line.channel, controller, position), isOwn: true, at: frame)
            }
            lines[place] = line
        }
    }
}

extension MotionSender {
    struct Memory: BitwiseCopyable {
        var lines: InlineArray<12, Line>
        var active: TrackSet
        var suspended: TrackSet
    }

    func copy(into memory: inout Memory) {
        lines.copy(into: &memory.lines)
        (memory.active, memory.suspended) = (active, suspended)
    }

    mutating func restore(_ memory: Memory) {
        lines.restore(memory.lines)
        (active, suspended) = (memory.active, memory.suspended)
    }
}

extension Sequencer {
    /// The motion of a track at the current frame; nil if there is none.
    func motion(of track: Int) -> Motion? {
        transport.runs || endFrame < .max ? played[track].motion : nil
    }

    /// How many steps of a track's slot have passed at a frame since one of its beginnings, with the fraction of the
    /// current one.
    func count(of track: Int, at frame: Int64) -> Double {
        let clock = transport.clock
        let place = clock.timing.grid.place(at: clock.position(at: min(frame, endFrame)))
        return times[track].count(at: place) - Double(times[track].start(ofPass: 0))
    }

    /// Sets the tone of tracks whose tone moves to the current frame's, and of the others to their parameter's.
    func moveTones(_ output: inout EngineOutput) {
        for track in 0..<trackCount { moveTone(of: track, &output) }
    }

    /// Sets one track's tone like ``moveTones(_:)``.
    func moveTone(of track: Int, _ output: inout EngineOutput) {
        guard let motion = motion(of: track), motion.moves(.tone) else {
            return output.voices.moveTone(of: track, to: nil)
        }
        output.voices.moveTone(of: track, to: motion.value(.tone, at: count(of: track, at: frame)))
    }
}
