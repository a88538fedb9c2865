/// Sends MIDI clock: 24 ticks a quarter note on the frames where the song's are, Start, Stop, Continue and song position.
///
/// Ticks go on while the music stands, at its tempo.
struct ClockSender: BitwiseCopyable {
    /// The song's tick to send next, while the music runs.
    private var nextTick: Int64 = 0
    /// The tick before which those who listen are to continue.
    private var continueTick: Int64?
    private var isRunning = false
    /// When the next tick is due while the music stands, in frames.
    private var idleFrame = 0.0
    /// Whether something is sent at all.
    private(set) var isOn = false
    /// How many frames later than the music its ticks are sent; negative for earlier.
    private var delay: Int64 = 0

    @_noLocks @_noAllocation
    init() {}

    /// Begins to send from a frame on, or sends no more.
    ///
    /// - Parameter delay: How many frames later than the music its ticks are to be sent; negative for earlier.
    @_noLocks @_noAllocation
    mutating func turn(on: Bool, delay: Int64, at frame: Int64) {
        self.delay = delay
        guard on != isOn else { return }
        isOn = on
        isRunning = false
        continueTick = nil
        idleFrame = Double(frame)
    }

    /// The frame of the next message, given what the clock does.
    @_noLocks @_noAllocation
    func nextFrame(_ clock: borrowing StepClock, runs: Bool) -> Int64 {
        guard isOn else { return .max }
        return runs && isRunning ? tickFrame(clock) : Int64(idleFrame + 0.5)
    }

    /// The frame of the song's next tick.
    @_noLocks @_noAllocation
    private func tickFrame(_ clock: borrowing StepClock) -> Int64 { clock.frame(of: Double(nextTick) / 6) + delay }

    /// Sends what is due with a frame.
    ///
    /// - Parameter hasJumped: Whether the music goes on from elsewhere.
    @_noLocks @_noAllocation
    mutating func send(
        _ clock: borrowing StepClock, runs: Bool, hasJumped: Bool, at frame: Int64, offset: Int32, to port: MidiBuffer
    ) {
        guard isOn else { return }
        if isRunning && (!runs || hasJumped) {
            unsafe port.append(MidiEvent(frame: offset, 0xfc))
            isRunning = false
            continueTick = nil
            idleFrame = Double(max(tickFrame(clock), frame))
        }
        if runs && !isRunning { unsafe begin(clock, at: frame, offset: offset, to: port) }
        if isRunning {
            while tickFrame(clock) <= frame { unsafe sendTick(offset, to: port) }
        } else {
            while idleFrame < Double(frame) + 0.5 {
                unsafe port.append(MidiEvent(frame: offset, 0xf8))
                idleFrame = max(idleFrame, Double(frame) - 1) + clock.timing.stepFrames / 6
            }
        }
    }

    /// Tells where the music runs from: Start at the song's start, else a song position, which is a sixteenth, and Continue
    /// before its tick.
    @_noLocks @_noAllocation
    private mutating func begin(_ clock: borrowing StepClock, at frame: Int64, offset: Int32, to port: MidiBuffer) {
        isRunning = true
        // Nothing is sent of what lies before, however late the ticks are.
        let position = clock.position(at: frame) - 0.5 / clock.timing.stepFrames
        nextTick = ceiling(position * 6)
        if nextTick == 0 {
            unsafe port.append(MidiEvent(frame: offset, 0xfa))
            return
        }
        let sixteenth = ceiling(position)
        continueTick = sixteenth * 6
        let pointer = wrapped(sixteenth, length: clock.timing.length)
        unsafe port.append(
            MidiEvent(
                frame: offset, count: 3, 0xf2, UInt8(truncatingIfNeeded: pointer & 0x7f),
                UInt8(truncatingIfNeeded: pointer >> 7)))
    }

    @_noLocks @_noAllocation
    private mutating func sendTick(_ offset: Int32, to port: MidiBuffer) {
        if let tick = continueTick, tick <= nextTick {
            unsafe port.append(MidiEvent(frame: offset, 0xfb))
            continueTick = nil
        }
        unsafe port.append(MidiEvent(frame: offset, 0xf8))
        nextTick += 1
    }

    /// A song position in 14 bits: a sixteenth of the same place in bar and pattern.
    @_noLocks @_noAllocation
    private func wrapped(_ sixteenth: Int64, length: Int) -> Int64 {
        var (a, b) = (16, length)
        while b != 0 { (a, b) = (b, a % b) }
        let common = Int64(16 / a * length)
        let modulus = 16384 / common * common
        let rest = sixteenth % modulus
        return rest < 0 ? rest + modulus : rest
    }
}
