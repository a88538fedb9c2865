import Instrument
import Music

/// BRAKE: a tape that stops. Its speed falls from 1 to 0 in a straight line; then there is silence.
struct Brake: BitwiseCopyable {
    private let times: PunchTimes
    private(set) var wet = GainRamp(0)
    private var isHeld = false
    /// The holder's number and amount.
    private var (number, amount): (UInt32, Double) = (0, 0)
    private var tapes = Handover(TapePosition())
    /// The first frame on the tape; nil before there is one.
    private var firstFrame: Int64?

    init(_ times: PunchTimes) { self.times = times }

    /// Whether it is heard.
    var isOpen: Bool { wet.isOpen }

    // MARK: Control

    /// Follows its holder.
    ///
    /// - Parameter stepFrames: How long a sixteenth lasts.
    mutating func hold(_ punchIn: PunchIn, stepFrames: Double, at frame: Int64) {
        let isNew = !isHeld || punchIn.number != number
        if isNew || punchIn.amount != amount {
            let fall = fallFrames(punchIn.amount, stepFrames: stepFrames)
            if !isNew {
                tapes.replace(with: tapes.newest.falling(in: fall, from: frame))
            } else if wet.isOpen {
                tapes.follow(with: TapePosition().falling(in: fall, from: frame))
            } else {
                tapes.begin(with: TapePosition().falling(in: fall, from: frame))
                firstFrame = nil
            }
        }
        (number, amount, isHeld) = (punchIn.number, punchIn.amount, true)
        wet.move(to: 1, frames: times.fade)
    }

    mutating func letGo() {
        isHeld = false
        wet.move(to: 0, frames: times.fade)
    }

    /// Frames from full speed to standstill: 1/4 to 4 beats, exponential, at most two seconds.
    private func fallFrames(_ amount: Double, stepFrames: Double) -> Double {
        // ln(16)
        let sixteenths = exponential(amount * 2.772_588_722_239_781)
        return max(1, min(sixteenths * stepFrames, 2 * times.sampleRate))
    }

    mutating func advance(_ count: Int) { wet.advance(count) }

    // MARK: Sound

    /// Plays a stretch.
    mutating func render(
        _ stretch: Stretch, _ buses: borrowing FixedArray<PunchBus>, gate: GainRamp, _ scratch: borrowing PunchScratch
    ) {
        if firstFrame == nil {
            firstFrame = stretch.frame
            for bus in 0..<buses.count { buses[bus].tape.reset() }
        }
        unsafe buses[0].tape.write(stretch.mid, from: stretch.frame, count: stretch.count)
        if let side = unsafe stretch.side {
            unsafe buses[1].tape.write(side, from: stretch.frame, count: stretch.count)
        }
        let mix = PunchMix(wet: wet, gate: gate)
        let count = wet.openFrames(atMost: stretch.count)
        var done = 0
        while done < count {
            let frame = stretch.frame + Int64(done)
            _ = tapes.settle(fadeFrames: times.fade)
            let part = tapes.quietFrames(atMost: count - done)
            unsafe play(stretch.mid, buses[0], mix, frame, offset: done, count: part, scratch)
            if let side = unsafe stretch.side {
                unsafe play(side, buses[1], mix, frame, offset: done, count: part, scratch)
            }
            tapes.advance(part)
            done += part
        }
    }

    private func play(
        _ samples: UnsafeMutablePointer<Float>, _ bus: borrowing PunchBus, _ mix: PunchMix, _ frame: Int64, offset: Int,
        count: Int, _ scratch: borrowing PunchScratch
    ) {
        let played = unsafe scratch.first.elements
        unsafe read(tapes.current, bus, into: played, from: frame, count: count, scratch.third.elements)
        if tapes.isFading {
            let fading = unsafe scratch.second.elements
            unsafe read(tapes.previous, bus, into: fading, from: frame, count: count, scratch.third.elements)
            var done = 0
            while done < count {
                let share = tapes.values(offset: done)
                let (new, old) = unsafe (Lanes(played + done, count: laneCount), Lanes(fading + done, count: laneCount))
                unsafe (new * share + old * (1 - share)).store(in: played + done, count: laneCount)
                done += laneCount
            }
        }
        unsafe mix.apply(played, to: samples, offset: offset, count: count)
    }

    /// Reads what a tape plays, between its frames by Hermite's cubic polynomial.
    private func read(
        _ tape: TapePosition, _ bus: borrowing PunchBus, into output: UnsafeMutablePointer<Float>, from frame: Int64,
        count: Int, _ heard: UnsafeMutablePointer<Float>
    ) {
        let start = Int(tape.wholeFrame(at: frame)) - 1
        let length = Int(tape.wholeFrame(at: frame + Int64(count - 1))) + 3 - start
        unsafe read(bus, into: heard, from: Int64(start), count: length)
        for index in 0..<count {
            let (whole, x) = tape.place(at: frame + Int64(index))
            let taps = unsafe Lanes(heard + (Int(whole) - 1 - start), count: laneCount)
            let share = tape.share(at: frame + Int64(index), fadeFrames: times.fade)
            unsafe output[index] = share * TapePosition.between(taps, x)
        }
    }

    /// Reads frames of the tape. It begins with its first frame, which counts for those before, too.
    private func read(
        _ bus: borrowing PunchBus, into output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int
    ) {
        unsafe bus.tape.read(output, from: frame, count: count)
        guard let firstFrame, frame < firstFrame else { return }
        let missing = min(count, Int(firstFrame - frame))
        var first: Float = 0
        unsafe bus.tape.read(&first, from: firstFrame, count: 1)
        unsafe output.update(repeating: first, count: missing)
    }
}

/// Where a slowing tape is: a function of the frame, since its fall last changed.
struct TapePosition: BitwiseCopyable {
    /// The frame at which its fall last changed, the speed then, and how far it was behind.
    private var frame: Int64 = 0
    private var (speed, lag) = (1.0, 0.0)
    /// How much slower it gets with each frame.
    private var slope = 0.0

    /// So far behind it is at least: interpolation needs two frames that come later.
    static var latency: Int { 2 }

    /// The same tape that, from a frame on, would fall from full speed to standstill in so many frames.
    func falling(in frames: Double, from frame: Int64) -> TapePosition {
        var tape = TapePosition()
        (tape.frame, tape.slope) = (frame, 1 / frames)
        guard slope > 0 else { return tape }
        tape.speed = speed - slope * Double(frame - self.frame)
        // One that stands still remains still.
        guard tape.speed > 0 else { return self }
        tape.lag = lag(at: frame)
        return tape
    }

    /// Frames from the last change to standstill.
    private var fall: Double { slope > 0 ? speed / slope : 0 }

    /// How far it is behind, in frames.
    private func lag(at frame: Int64) -> Double {
        let passed = Double(frame - self.frame)
        let falling = min(passed, fall)
        return lag + falling * (1 - speed) + 0.5 * slope * falling * falling + (passed - falling)
    }

    /// The frame that it plays, and how far beyond.
    @inline(__always)
    func place(at frame: Int64) -> (frame: Int64, x: Float) {
        let behind = lag(at: frame)
        let whole = Int64(behind)
        let rest = behind - Double(whole)
        // The place is between two frames, and the rest goes back from the later one.
        return rest == 0
            ? (frame - whole - Int64(TapePosition.latency), 0)
            : (frame - whole - 1 - Int64(TapePosition.latency), Float(1 - rest))
    }

    func wholeFrame(at frame: Int64) -> Int64 { place(at: frame).frame }

    /// How much of it is heard: all until it stands still, and nothing once it has faded.
    @inline(__always)
    func share(at frame: Int64, fadeFrames: Int) -> Float {
        let still = Double(frame - self.frame) - fall
        return still <= 0 ? 1 : Float(max(0, 1 - still / Double(fadeFrames)))
    }

    /// Between the second and the third of four samples: cubic, with the slopes of their neighbours (Catmull-Rom).
    @inline(__always)
    static func between(_ taps: Lanes, _ x: Float) -> Float {
        let (a, b, c, d) = (taps.x, taps.y, taps.z, taps.w)
        let slope = 0.5 * (c - a)
        let second = a - 2.5 * b + 2 * c - 0.5 * d
        let third = 0.5 * (d - a) + 1.5 * (b - c)
        return ((third * x + second) * x + slope) * x + b
    }
}
