import Instrument
import Music

/// STUTTER: repeats a stretch of what was just heard.
///
/// The stretch begins with a sixteenth of the song. Instead of a frame it plays the one as far into the stretch as the
/// frame is into its turn. The input is only kept for two seconds, so from when the stretch was chosen and has faded in,
/// it is copied, frame by frame: what is not copied yet is still in the input's memory when it is played.
struct Stutter: BitwiseCopyable {
    private let times: PunchTimes
    private(set) var wet = GainRamp(0)
    private var isHeld = false
    /// The holder's number, and how many sixteenths it repeats.
    private var (number, sixteenths): (UInt32, Double) = (0, 0)
    private var stretches = Handover(RepeatedStretch())

    init(_ times: PunchTimes) { self.times = times }

    /// Whether it is heard.
    var isOpen: Bool { wet.isOpen }

    // MARK: Control

    /// Follows its holder.
    mutating func hold(_ punchIn: PunchIn, _ clock: StepClock, at frame: Int64) {
        let wanted = PunchAmount.sixteenths(ofStutter: punchIn.amount)
        if !isHeld || punchIn.number != number {
            choose(wanted, clock, at: frame)
        } else if wanted != sixteenths {
            var longer = stretches.newest
            longer.length = length(of: wanted, clock)
            if longer.hasPassed(by: frame) {
                stretches.follow(with: longer)
            } else {
                choose(wanted, clock, at: frame)
            }
        }
        (number, sixteenths, isHeld) = (punchIn.number, wanted, true)
        wet.move(to: 1, frames: times.fade)
    }

    mutating func letGo() {
        isHeld = false
        wet.move(to: 0, frames: times.fade)
    }

    /// Chooses the stretch of a length that begins with the latest sixteenth from which all of it has passed.
    private mutating func choose(_ sixteenths: Double, _ clock: StepClock, at frame: Int64) {
        let (length, stepFrames) = (length(of: sixteenths, clock), clock.timing.stepFrames)
        // A place less than half a frame away is on this frame.
        let first = floor(clock.position(at: frame) - (length - 0.5) / stepFrames)
        var stretch = RepeatedStretch()
        (stretch.start, stretch.length) = (clock.frame(of: Double(first)), length)
        stretch.copyStart = .max
        if wet.isOpen {
            stretches.follow(with: stretch)
        } else {
            stretch.copyStart = frame + Int64(times.fade)
            stretches.begin(with: stretch)
        }
    }

    /// A length in frames, halved until it is at most a second.
    private func length(of sixteenths: Double, _ clock: StepClock) -> Double {
        var length = sixteenths * clock.timing.stepFrames
        while length > times.sampleRate { length /= 2 }
        return length
    }

    mutating func advance(_ count: Int) { wet.advance(count) }

    // MARK: Sound

    /// Plays a stretch.
    mutating func render(
        _ stretch: Stretch, _ buses: borrowing FixedArray<PunchBus>, gate: GainRamp, _ scratch: borrowing PunchScratch
    ) {
        let mix = PunchMix(wet: wet, gate: gate)
        let count = wet.openFrames(atMost: stretch.count)
        var done = 0
        while done < count {
            let frame = stretch.frame + Int64(done)
            if stretches.settle(fadeFrames: times.fade) { beginCopy(at: frame) }
            let part = stretches.quietFrames(atMost: count - done)
            unsafe play(stretch.mid, buses[0], mix, frame, offset: done, count: part, scratch)
            if let side = unsafe stretch.side {
                unsafe play(side, buses[1], mix, frame, offset: done, count: part, scratch)
            }
            copy(buses, by: frame + Int64(part), atMost: 2 * part)
            stretches.advance(part)
            done += part
        }
    }

    /// Another stretch has begun to play at a frame.
    private mutating func beginCopy(at frame: Int64) {
        var stretch = stretches.current
        if stretch.copyStart == .max {
            // Until then, the one before needs its copy.
            stretch.copyStart = frame + Int64(times.fade)
        } else {
            // Only its length differs.
            stretch.copiedCount = stretches.previous.copiedCount
        }
        stretches.update(current: stretch)
    }

    private func play(
        _ samples: UnsafeMutablePointer<Float>, _ bus: borrowing PunchBus, _ mix: PunchMix, _ frame: Int64, offset: Int,
        count: Int, _ scratch: borrowing PunchScratch
    ) {
        let played = unsafe scratch.first.elements
        unsafe read(stretches.current, bus, into: played, from: frame, count: count, scratch.third.elements)
        if stretches.isFading {
            let fading = unsafe scratch.second.elements
            unsafe read(stretches.previous, bus, into: fading, from: frame, count: count, scratch.third.elements)
            unsafe stretches.fade(fading, into: played, count: count)
        }
        unsafe mix.apply(played, to: samples, offset: offset, count: count)
    }

    /// Reads what a repeated stretch plays; at its seams one turn goes over into the next.
    private func read(
        _ stretch: RepeatedStretch, _ bus: borrowing PunchBus, into output: UnsafeMutablePointer<Float>,
        from frame: Int64, count: Int, _ next: UnsafeMutablePointer<Float>
    ) {
        let seam = min(times.seam, Int(stretch.length / 2))
        var turn = stretch.turn(at: frame)
        var done = 0
        while done < count {
            let now = frame + Int64(done)
            let end = stretch.start(of: turn + 1)
            let index = Int(now - stretch.start(of: turn))
            let untilSeam = Int(end - now) - seam
            let part = min(count - done, untilSeam > 0 ? untilSeam : untilSeam + seam)
            unsafe read(stretch, bus, into: output + done, index: index, count: part, at: now)
            if untilSeam <= 0 {
                let left = Int(end - now)
                unsafe read(stretch, bus, into: next, index: -left, count: part, at: now)
                for offset in 0..<part {
                    let share = Float(seam - left + offset + 1) / Float(seam + 1)
                    unsafe output[done + offset] = output[done + offset] * (1 - share) + next[offset] * share
                }
            }
            done += part
            if now + Int64(part) == end { turn += 1 }
        }
    }

    /// Reads frames of a stretch, counted from its start; negative ones are before it. What the input's memory does not
    /// hold any more is silent.
    private func read(
        _ stretch: RepeatedStretch, _ bus: borrowing PunchBus, into output: UnsafeMutablePointer<Float>, index: Int,
        count: Int, at frame: Int64
    ) {
        let place = index + times.seam
        let isCopied = max(0, min(count, stretch.copiedCount - place))
        unsafe output.copy(bus.stretch.elements + place, count: isCopied)
        guard isCopied < count else { return }
        let rest = unsafe output + isCopied
        let isKept = frame - stretch.start - Int64(index) <= Int64(times.recentFrames)
        if isKept {
            unsafe bus.recent.read(rest, from: stretch.start + Int64(index + isCopied), count: count - isCopied)
        } else {
            unsafe rest.update(repeating: 0, count: count - isCopied)
        }
    }

    /// Copies as much of the stretch as has time before a frame.
    private mutating func copy(_ buses: borrowing FixedArray<PunchBus>, by frame: Int64, atMost most: Int) {
        var stretch = stretches.current
        let due = min(Int64(times.stretchFrames), frame - min(stretch.copyStart, frame)) - Int64(stretch.copiedCount)
        let count = min(Int(due), most)
        guard count > 0 else { return }
        let first = stretch.start + Int64(stretch.copiedCount - times.seam)
        let isKept = stretch.copyStart - stretch.start + Int64(times.seam) <= Int64(times.recentFrames)
        for bus in 0..<buses.count {
            let copies = unsafe buses[bus].stretch.elements + stretch.copiedCount
            if isKept {
                unsafe buses[bus].recent.read(copies, from: first, count: count)
            } else {
                unsafe copies.update(repeating: 0, count: count)
            }
        }
        stretch.copiedCount += count
        stretches.update(current: stretch)
    }
}

/// A stretch of the past that is played again and again.
struct RepeatedStretch: BitwiseCopyable {
    /// Its first frame.
    var start: Int64 = 0
    /// In frames, at most a second.
    var length = 1.0
    /// The frame with which it begins to be copied.
    var copyStart: Int64 = .max
    /// How many frames are copied, those before its start first.
    var copiedCount = 0

    /// The first frame of a turn; turn 0 is the stretch itself. Not a multiple of a rounded length: errors do not add up.
    func start(of turn: Int) -> Int64 { start + floor(Double(turn) * length + 0.5) }

    /// The turn that a frame belongs to.
    func turn(at frame: Int64) -> Int {
        var turn = Int(Double(frame - start) / length)
        while start(of: turn + 1) <= frame { turn += 1 }
        while start(of: turn) > frame { turn -= 1 }
        return turn
    }

    /// Whether all of it is before a frame.
    func hasPassed(by frame: Int64) -> Bool { start(of: 1) <= frame }
}
