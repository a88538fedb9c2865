import Music

/// Sends MIDI clock: 24 ticks a quarter note in step with the song, Start, Stop, Continue and song position.
///
/// Ticks continue while the music is stopped, at its tempo.
struct ClockSender: BitwiseCopyable {
    private enum State: BitwiseCopyable {
        /// Nothing is sent.
        case off
        /// The music is stopped; the next tick is due at this frame.
        case idle(due: Double)
        /// The music runs: the song's next tick, and the one before which to send Start or Continue.
        case running(next: Int64, first: Int64, command: UInt8)
        /// The music has jumped, while receivers still expect the next tick of the old place.
        case displaced(next: Int64)
        /// Sending was turned off while receivers run: Stop is still due.
        case ending
    }

    private var state = State.off
    /// How many frames later than the music its ticks are sent; negative for earlier.
    private var delay: Int64 = 0

    /// Turns sending on, from a frame, or off.
    ///
    /// - Parameter delay: How many frames later than the music ticks are sent; negative for earlier.
    mutating func turn(on: Bool, delay: Int64, at frame: Int64) {
        self.delay = delay
        switch state {
        case .off: if on { state = .idle(due: Double(frame)) }
        case .idle: if !on { state = .off }
        case .running, .displaced: if !on { state = .ending }
        case .ending: break
        }
    }

    var isOff: Bool {
        if case .off = state { true } else { false }
    }

    /// The music continues elsewhere.
    mutating func jump() {
        if case .running(let next, _, _) = state { state = .displaced(next: next) }
    }

    /// The frame of the next message.
    func nextFrame(_ clock: borrowing StepClock) -> Int64 {
        switch state {
        case .off, .ending: .max
        case .idle(let due): Int64(due + 0.5)
        case .running(let next, _, _), .displaced(let next): frame(ofTick: next, clock)
        }
    }

    /// The frame of one of the song's ticks.
    private func frame(ofTick tick: Int64, _ clock: borrowing StepClock) -> Int64 {
        clock.frame(of: Double(tick) / 6) + delay
    }

    /// Sends the messages that are due at a frame.
    mutating func send(
        _ clock: borrowing StepClock, runs: Bool, at frame: Int64, offset: Int32, to port: MidiBuffer
    ) {
        switch state {
        case .running(let next, _, _) where !runs, .displaced(let next):
            unsafe port.append(MidiEvent(frame: offset, 0xfc))
            // If the clock was moved or retimed just before the stop, it may place the tick anywhere.
            let latest = Double(frame) + clock.timing.stepFrames / 6
            state = .idle(due: max(Double(frame), min(latest, Double(self.frame(ofTick: next, clock)))))
        case .ending:
            unsafe port.append(MidiEvent(frame: offset, 0xfc))
            state = .off
        default: break
        }
        if runs, case .idle = state { unsafe begin(clock, at: frame, offset: offset, to: port) }
        switch state {
        case .running(var next, let first, let command):
            while self.frame(ofTick: next, clock) <= frame {
                if next == first { unsafe port.append(MidiEvent(frame: offset, command)) }
                unsafe port.append(MidiEvent(frame: offset, 0xf8))
                next += 1
            }
            state = .running(next: next, first: first, command: command)
        case .idle(var due):
            while due < Double(frame) + 0.5 {
                unsafe port.append(MidiEvent(frame: offset, 0xf8))
                due = max(due, Double(frame) - 1) + clock.timing.stepFrames / 6
            }
            state = .idle(due: due)
        case .off, .displaced, .ending: break
        }
    }

    /// At the song's beginning sends Start before the first tick, even if that is yet to come or late; elsewhere sends
    /// the position in sixteenths, and Continue before its tick.
    private mutating func begin(_ clock: borrowing StepClock, at frame: Int64, offset: Int32, to port: MidiBuffer) {
        // Earlier ticks are not sent, however long their delay.
        let position = clock.position(at: frame) - 0.5 / clock.timing.stepFrames
        if clock.startStep == 0, clock.songStep <= 0 {
            state = .running(next: min(0, ceiling(position * 6)), first: 0, command: 0xfa)
            return
        }
        let sixteenth = ceiling(position)
        state = .running(next: ceiling(position * 6), first: sixteenth * 6, command: 0xfb)
        let pointer = wrapped(sixteenth, length: clock.timing.grid.loop.length)
        unsafe port.append(
            MidiEvent(
                frame: offset, count: 3, 0xf2, UInt8(truncatingIfNeeded: pointer & 0x7f),
                UInt8(truncatingIfNeeded: pointer >> 7)))
    }

    /// The song position wrapped to 14 bits: a sixteenth at the same place in bar and pattern.
    private func wrapped(_ sixteenth: Int64, length: Int) -> Int64 {
        var (a, b) = (16, length)
        while b != 0 { (a, b) = (b, a % b) }
        let common = Int64(16 / a * length)
        let modulus = 16384 / common * common
        let rest = sixteenth % modulus
        return rest < 0 ? rest + modulus : rest
    }
}
