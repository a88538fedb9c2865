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
            unsafe tapes.fade(fading, into: played, count: count)
        }
        unsafe mix.apply(played, to: samples, offset: offset, count: count)
    }

    /// Reads what a tape plays, between its frames by a cubic polynomial.
    private func read(
        _ tape: TapePosition, _ bus: borrowing PunchBus, into output: UnsafeMutablePointer<Float>, from frame: Int64,
        count: Int, _ heard: UnsafeMutablePointer<Float>
    ) {
        if tape.isSilent(at: frame, fadeFrames: times.fade) {
            return unsafe output.update(repeating: 0, count: count)
        }
        let last = frame + Int64(count - 1)
        let start = tape.playedFrame(at: frame) - 1
        let length = Int(tape.playedFrame(at: last) + 3 - start)
        unsafe read(bus, into: heard, from: start, count: length)
        let isFalling = Double(last) <= tape.standstill
        var done = 0
        while done < count {
            // Four frames at once; those beyond the last one are not heard.
            let first = frame + Int64(done)
            let behind = isFalling ? tape.lagsWhileFalling(from: first) : tape.lags(from: first, to: last)
            let origin = unsafe heard + Int(first - start) - TapePosition.latency - 2
            let played = unsafe TapePosition.between(origin, behind)
            unsafe played.store(in: output + done, count: laneCount)
            done += laneCount
        }
        if isFalling { return }
        for index in 0..<count {
            let share = tape.share(at: frame + Int64(index), fadeFrames: times.fade)
            // Not a negative zero, which a stretch that is wholly silent does not have.
            unsafe output[index] = share > 0 ? output[index] * share : 0
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
    /// How much slower it gets with each frame, and frames from then to standstill.
    private var (slope, fall) = (0.0, 0.0)

    /// How many frames it is behind at least: interpolation needs two that come later.
    static var latency: Int { 2 }

    /// The same tape, which slows down from a frame on: from full speed it would stand still after `frames`.
    func falling(in frames: Double, from frame: Int64) -> TapePosition {
        var tape = TapePosition()
        (tape.frame, tape.slope, tape.fall) = (frame, 1 / frames, frames)
        guard slope > 0 else { return tape }
        tape.speed = speed - slope * Double(frame - self.frame)
        // One that stands still remains still.
        guard tape.speed > 0 else { return self }
        (tape.lag, tape.fall) = (lag(at: frame), tape.speed * frames)
        return tape
    }

    /// The time at which it stands still, by the count of frames.
    var standstill: Double { Double(frame) + fall }

    /// How far it is behind, in frames.
    @inline(__always)
    private func lag(at frame: Int64) -> Double {
        let passed = Double(frame &- self.frame)
        if passed <= fall { return lag + passed * (1 - speed) + 0.5 * slope * passed * passed }
        return lag + fall * (1 - speed) + 0.5 * slope * fall * fall + (passed - fall)
    }

    /// The last frame before what it plays at a frame.
    func playedFrame(at frame: Int64) -> Int64 { frame - Int64(lag(at: frame)) - 1 - Int64(TapePosition.latency) }

    /// How much of it is heard: all until it stands still, and nothing once it has faded.
    @inline(__always)
    func share(at frame: Int64, fadeFrames: Int) -> Float {
        Float(min(1, max(0, 1 - (Double(frame) - standstill) / Double(fadeFrames))))
    }

    /// Whether it stands still and has faded.
    func isSilent(at frame: Int64, fadeFrames: Int) -> Bool { Double(frame) >= standstill + Double(fadeFrames) }

    /// How far it is behind in four frames that begin with one, before it stands still.
    @inline(__always)
    func lagsWhileFalling(from frame: Int64) -> SIMD4<Double> {
        let passed = Double(frame &- self.frame) + SIMD4(0, 1, 2, 3)
        return lag + passed * (1 - speed) + 0.5 * slope * passed * passed
    }

    /// How far it is behind in four frames that begin with one; those after the last are like it.
    func lags(from first: Int64, to last: Int64) -> SIMD4<Double> {
        SIMD4(
            lag(at: first), lag(at: min(first + 1, last)), lag(at: min(first + 2, last)), lag(at: min(first + 3, last)))
    }

    /// What is played in four frames: between samples, by a cubic polynomial with the slopes of their neighbours
    /// (Catmull-Rom).
    ///
    /// - Parameters:
    ///   - origin: The first of the four samples around where the first frame would be if it were not behind.
    ///   - behind: How far each frame is behind.
    @inline(__always)
    static func between(_ origin: UnsafePointer<Float>, _ behind: SIMD4<Double>) -> Lanes {
        let (first, second) = (Int(behind.x), Int(behind.y))
        let (third, fourth) = (Int(behind.z), Int(behind.w))
        let (p, q) = unsafe (Lanes(origin - first, count: 4), Lanes(origin + 1 - second, count: 4))
        let (r, s) = unsafe (Lanes(origin + 2 - third, count: 4), Lanes(origin + 3 - fourth, count: 4))
        // The rest goes back from the later one of two samples.
        let x = Lanes(
            Float(1 - (behind.x - Double(first))), Float(1 - (behind.y - Double(second))),
            Float(1 - (behind.z - Double(third))), Float(1 - (behind.w - Double(fourth))))
        let (a, b) = (Lanes(p.x, q.x, r.x, s.x), Lanes(p.y, q.y, r.y, s.y))
        let (c, d) = (Lanes(p.z, q.z, r.z, s.z), Lanes(p.w, q.w, r.w, s.w))
        let slope = 0.5 * (c - a)
        let square = a - 2.5 * b + (2 * c - 0.5 * d)
        let cube = 0.5 * (d - a) + 1.5 * (b - c)
        return ((cube * x + square) * x + slope) * x + b
    }
}
